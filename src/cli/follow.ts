/** `read --follow`: prints a session's output as it arrives. */

import { toJsonResult } from '../dialects/native/results.ts';
import type { SessionEvent, SessionResult, Sessions } from '../session/sessions.ts';
import { EXIT_DONE } from './exit-codes.ts';
import { printJson, UNLIMITED_TOKENS } from './output/print-result.ts';

export interface FollowOptions {
  raw: boolean;
  json: boolean;
  from?: number;
}

type OutputEvent = Extract<SessionEvent, { type: 'output' }>;

/** A pause between reads: a line that is redrawn all the time need not be printed each time. */
const PAUSE_MS = 100;
/** How long one request waits for output before it is repeated. */
const REQUEST_MS = 60_000;

export const followOutput = (
  sessions: Sessions,
  session: string,
  options: FollowOptions,
): Promise<number> =>
  options.raw ? followRaw(sessions, session, options) : followText(sessions, session, options);

/** Reads as a reader of its own, so that the agent still gets all output. */
const ownReader = () => ({ reader: `follow-${process.pid}` });

/** Returns how to ask for the name that the session has now: it can be renamed meanwhile. */
const followName = (sessions: Sessions, session: string): (() => string) => {
  let name = session;
  const onEvent = (event: SessionEvent) => {
    if (event.type === 'renamed') name = event.to;
  };
  sessions.subscribe(onEvent, session, ['renamed']);
  return () => name;
};

const followText = async (
  sessions: Sessions,
  session: string,
  { json, from }: FollowOptions,
): Promise<number> => {
  const call = ownReader();
  const name = followName(sessions, session);
  /** Whether the last line printed still lacks its newline. */
  let isLineOpen = false;
  const show = (result: SessionResult) => {
    if (json) printJson(toJsonResult(result));
    else if (result.output !== '') {
      if (isLineOpen && !result.continues) process.stdout.write('\n');
      process.stdout.write(result.output);
      isLineOpen = true;
    }
    return result;
  };
  if (from !== undefined)
    show(await sessions.read(session, { from, advance: true, maxTokens: UNLIMITED_TOKENS }, call));
  const options = { until: 'output', timeoutMs: REQUEST_MS, maxTokens: UNLIMITED_TOKENS } as const;
  while (true) {
    const { state } = show(await sessions.read(name(), options, call));
    if (state === 'exited') break;
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  if (isLineOpen && !json) process.stdout.write('\n');
  return EXIT_DONE;
};

const followRaw = async (
  sessions: Sessions,
  session: string,
  { from, json }: FollowOptions,
): Promise<number> => {
  const name = followName(sessions, session);
  const write = (text: string | Uint8Array) => {
    if (json) printJson({ session: name(), output: Buffer.from(text).toString() });
    else process.stdout.write(text);
  };
  let printedTo = 0;
  const show = ({ bytes, position }: OutputEvent) => {
    const unprinted = bytes.subarray(Math.max(0, printedTo - position));
    if (unprinted.length > 0) write(unprinted);
    printedTo = Math.max(printedTo, position + bytes.length);
  };
  // Events are held back until the earlier output has been read: they may be part of it.
  let held: OutputEvent[] | undefined = from === undefined ? undefined : [];
  let onEnd: (how: 'exited' | 'closed') => void = () => {};
  const nextEnd = () =>
    new Promise<'exited' | 'closed'>((resolve) => {
      onEnd = resolve;
    });
  let ended = nextEnd();
  const onEvent = (event: SessionEvent) => {
    // If only the daemon was restarted, there may be output of which it has not told us.
    if (event.type === 'closed') held ??= [];
    if (event.type === 'exited' || event.type === 'closed') onEnd(event.type);
    if (event.type !== 'output') return;
    if (held === undefined) show(event);
    else held.push(event);
  };
  sessions.subscribe(onEvent, session, ['output', 'exited', 'closed']);
  const catchUp = async (start: number) => {
    const earlier = { view: 'raw', from: start, maxTokens: UNLIMITED_TOKENS } as const;
    const { output, position } = await sessions.read(name(), earlier);
    if (output !== '') write(output);
    printedTo = position;
    held?.forEach(show);
    held = undefined;
  };
  const readState = () => sessions.read(name(), {}, ownReader());
  if (from !== undefined) await catchUp(from);
  let { state, position } = await readState();
  printedTo = Math.max(printedTo, position);
  while (state !== 'exited' && (await ended) === 'closed') {
    ended = nextEnd();
    // Closed without an exit: the daemon may have been killed. Then this read throws the error.
    ({ state, position } = await readState());
    await catchUp(printedTo);
  }
  return EXIT_DONE;
};
