/** Builds the events of a session from what happened. */

import type { ScreenEvent } from '../screen/sequences/screen-events.ts';
import type { Exit } from '../system/process/reaper.ts';
import type { Actor } from './caller.ts';
import type { SessionEventBody } from './sessions.ts';

export const exitSessionEvent = ({ code, signal }: Exit): SessionEventBody => ({
  type: 'exited',
  ...(code !== undefined && { exitCode: code }),
  ...(signal !== undefined && { signal }),
});

/** Hidden input is reported without its bytes, so not even its length is visible. */
export const inputSessionEvent = (
  bytes: Uint8Array,
  { name, caller }: Actor,
  hidden: boolean,
  secret?: string,
): SessionEventBody => ({
  type: 'input',
  ...(hidden ? { bytes: new Uint8Array(), hidden } : { bytes }),
  actor: name,
  caller,
  ...(secret !== undefined && { secret }),
});

export const markSessionEvent = (event: ScreenEvent & { type: 'mark' }): SessionEventBody => {
  const { type, mark, position } = event;
  const exitCode = mark === 'done' ? event.exitCode : undefined;
  return { type, mark, position, ...(exitCode !== undefined && { exitCode }) };
};
