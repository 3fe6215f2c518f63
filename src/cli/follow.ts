/** `read --follow`: what a session says, as it says it, for somebody who only looks on. */

import { resultOnWire } from '../dialects/native/results.ts';
import type { SessionEvent, Sessions } from '../session/sessions.ts';
import { DONE } from './exit-codes.ts';
import { printJson, UNLIMITED_TOKENS } from './output/print-result.ts';

export interface FollowOptions {
  raw: boolean;
  json: boolean;
  from?: number;
}

/** A line that is drawn over and over is not worth printing each time. */
const PAUSE_MS = 100;
/** How long one request waits for output; then it is asked again. */
const PATIENCE_MS = 60_000;

export const follow = (
  sessions: Sessions,
  session: string,
  options: FollowOptions,
): Promise<number> =>
  options.raw ? followRaw(sessions, session, options) : followText(sessions, session, options);

/** With a reader of its own, so that the agent misses nothing. */
const followText = async (
  sessions: Sessions,
  session: string,
  { json, from }: FollowOptions,
): Promise<number> => {
  const call = { reader: `follow-${process.pid}` };
  let isOpen = false;
  const show = (result: Awaited<ReturnType<Sessions['read']>>) => {
    if (json) printJson(resultOnWire(result));
    else if (result.output !== '') {
      if (isOpen && !result.continues) process.stdout.write('\n');
      process.stdout.write(result.output);
      isOpen = true;
    }
    return result;
  };
  if (from !== undefined)
    show(await sessions.read(session, { from, advance: true, maxTokens: UNLIMITED_TOKENS }, call));
  while (true) {
    const wish = { until: 'output', timeoutMs: PATIENCE_MS, maxTokens: UNLIMITED_TOKENS } as const;
    const { state } = show(await sessions.read(session, wish, call));
    if (state === 'exited') break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  if (isOpen && !json) process.stdout.write('\n');
  return DONE;
};

const followRaw = async (
  sessions: Sessions,
  session: string,
  { from, json }: FollowOptions,
): Promise<number> => {
  const write = (text: string | Uint8Array) => {
    if (json) printJson({ session, output: Buffer.from(text).toString() });
    else process.stdout.write(text);
  };
  let shown = 0;
  const show = ({ bytes, position }: Output) => {
    const fresh = bytes.subarray(Math.max(0, shown - position));
    if (fresh.length > 0) write(fresh);
  };
  // What comes before the earlier output has been read may be part of that.
  let held: Output[] | undefined = from === undefined ? undefined : [];
  const ended = new Promise<'exited' | 'closed'>((resolve) => {
    const hear = (event: SessionEvent) => {
      if (event.type === 'exited' || event.type === 'closed') resolve(event.type);
      if (event.type !== 'output') return;
      if (held === undefined) show(event);
      else held.push(event);
    };
    sessions.subscribe(hear, session, ['output', 'exited', 'closed']);
  });
  const look = () => sessions.read(session, {}, { reader: `follow-${process.pid}` });
  if (from !== undefined) {
    const earlier = { view: 'raw', from, maxTokens: UNLIMITED_TOKENS } as const;
    const { output, position } = await sessions.read(session, earlier);
    if (output !== '') write(output);
    shown = position;
    held?.forEach(show);
    held = undefined;
  }
  const { state } = await look();
  // Closed without an exit: the daemon was killed, and whoever asks again is told so.
  if (state !== 'exited' && (await ended) === 'closed') await look();
  return DONE;
};

type Output = Extract<SessionEvent, { type: 'output' }>;
