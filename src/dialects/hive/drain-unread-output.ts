/** Returns output that was not returned yet, as soon as there is some and the program pauses. */
import type { CallOptions } from '../../session/sessions.ts';
import type { Clock } from '../shared/clock.ts';
import type { DialectSession } from '../shared/dialect-session.ts';
import type { OutputRing } from './output-ring.ts';
import { type PromptMarks, removePromptMarks } from './prompt-marks.ts';

export interface DrainResult {
  output: string;
  more: boolean;
  offset: number;
  next_offset: number;
  timed_out: false;
}

export interface DrainOptions {
  ms: number;
  marks: PromptMarks;
  /** Raw input since the last drain. The echo of it does not count as new output. */
  rawInput: string;
  clock: Clock;
  strictWaits: boolean;
  call: CallOptions;
}

const MAX_BYTES = 64_000;
const QUIET_MS = 50;
/** The longest wait for quiet: some programs are never quiet. */
const MAX_SETTLE_MS = 1000;
/** The longest wait for a program's next question, once it has begun to react to raw input. */
const MAX_REACTION_MS = 3000;

export const drainUnreadOutput = async (
  session: DialectSession<OutputRing>,
  { ms, marks, rawInput, clock, strictWaits, call: { signal } }: DrainOptions,
): Promise<DrainResult> => {
  const ring = session.output;
  const endMs = clock.now() + ms;
  const remaining = (maxMs: number) => Math.max(0, Math.min(maxMs, endMs - clock.now()));
  const hasNewOutput = () => isMoreThanEcho(ring, rawInput);

  await session.wait({
    ms,
    signal,
    until: () => session.isFinished || hasNewOutput(),
    orReady: () => true,
  });
  const settle = () =>
    waitUntilQuiet(session, { ms: remaining(MAX_SETTLE_MS), clock, strictWaits, signal });
  if (hasNewOutput()) {
    await settle();
    // ssh prints that it has added a host to a list, and only then logs in.
    if (rawInput !== '' && !session.isFinished) {
      const { end } = ring;
      await session.wait({
        ms: remaining(MAX_REACTION_MS),
        signal,
        until: () => session.isFinished,
        orReady: () => true,
        onlyIfCertain: false,
      });
      if (ring.end !== end) await settle();
    }
  }
  const { bytes, span, more } = ring.take(MAX_BYTES);
  return {
    output: removePromptMarks(bytes.toString(), marks).text,
    more,
    offset: span.from,
    next_offset: span.to,
    timed_out: false,
  };
};

/**
 * The terminal echoes what was sent. If echo is off (a password), the program itself prints only the
 * line feed.
 */
const isMoreThanEcho = (ring: OutputRing, rawInput: string): boolean => {
  const spans = ring.unreturned;
  const bytes = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes === 0) return false;
  if (rawInput === '' || bytes > 2 * Buffer.byteLength(rawInput) + 2) return true;
  const withoutReturns = (text: string) => text.replaceAll('\r', '');
  const shown = withoutReturns(
    spans.map(({ from, to }) => ring.slice(from, to).toString()).join(''),
  );
  return !withoutReturns(rawInput).startsWith(shown) && shown !== '\n';
};

type QuietOptions = Pick<DrainOptions, 'ms' | 'clock' | 'strictWaits'> & {
  signal: AbortSignal | undefined;
};

/** Resolves after `QUIET_MS` without output, or when the program waits for input. */
const waitUntilQuiet = async (
  session: DialectSession<OutputRing>,
  { ms, clock, strictWaits, signal }: QuietOptions,
): Promise<void> => {
  const ring = session.output;
  const endMs = clock.now() + ms;
  for (let remainingMs = ms; remainingMs > 0; remainingMs = endMs - clock.now()) {
    const { end } = ring;
    await session.wait({
      ms: Math.min(QUIET_MS, remainingMs),
      signal,
      until: () => ring.end !== end || session.isFinished,
      orReady: strictWaits ? undefined : () => true,
    });
    if (ring.end === end || session.isFinished) return;
  }
};
