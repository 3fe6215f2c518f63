/** What is told of a session, made from what happened. */

import type { ScreenEvent } from '../screen/sequences/screen-events.ts';
import type { Exit } from '../system/process/reaper.ts';
import type { Told } from './sessions.ts';

export const toldExit = ({ code, signal }: Exit): Told => ({
  type: 'exited',
  ...(code !== undefined && { exitCode: code }),
  ...(signal !== undefined && { signal }),
});

/** Of what is hidden not even the length is told. */
export const toldInput = (
  bytes: Uint8Array,
  actor: string,
  hidden: boolean,
  secret?: string,
): Told => ({
  type: 'input',
  ...(hidden ? { bytes: new Uint8Array(), hidden } : { bytes }),
  actor,
  ...(secret !== undefined && { secret }),
});

export const toldMark = (event: ScreenEvent & { type: 'mark' }): Told => {
  const { type, mark, position } = event;
  const exitCode = mark === 'done' ? event.exitCode : undefined;
  return { type, mark, position, ...(exitCode !== undefined && { exitCode }) };
};
