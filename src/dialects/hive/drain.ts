/** Gives what was not given yet, as soon as there is some and the program pauses. */
import type { CallOptions } from '../../session/sessions.ts';
import type { Clock } from '../shared/clock.ts';
import type { DialectSession } from '../shared/dialect-session.ts';
import { cleaned, type PromptMarks } from './marks.ts';
import type { OutputRing } from './ring.ts';

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
  /** What was sent since the last drain: its mere echo is no news. */
  sent: string;
  clock: Clock;
  strictWaits: boolean;
  call: CallOptions;
}

const MOST_BYTES = 64_000;
const QUIET_MS = 50;
/** A program that is never quiet is given so long. */
const RESTLESS_MS = 1000;
/** One that was answered, and has begun to react, is given so long to come to its next question. */
const REACTION_MS = 3000;

export const drain = async (
  session: DialectSession<OutputRing>,
  { ms, marks, sent, clock, strictWaits, call: { signal } }: DrainOptions,
): Promise<DrainResult> => {
  const ring = session.output;
  const endMs = clock.now() + ms;
  const left = (most: number) => Math.max(0, Math.min(most, endMs - clock.now()));
  const hasNews = () => isNews(ring, sent);

  await session.wait({
    ms,
    signal,
    until: () => session.isOver || hasNews(),
    orReady: () => true,
  });
  const settle = () => quiet(session, { ms: left(RESTLESS_MS), clock, strictWaits, signal });
  if (hasNews()) {
    await settle();
    // ssh says that it has added a host to a list, and goes on to log in.
    if (sent !== '' && !session.isOver) {
      const { end } = ring;
      await session.wait({
        ms: left(REACTION_MS),
        signal,
        until: () => session.isOver,
        orReady: () => true,
        onlyIfCertain: false,
      });
      if (ring.end !== end) await settle();
    }
  }
  const { bytes, span, more } = ring.take(MOST_BYTES);
  return {
    output: cleaned(bytes.toString(), marks).text,
    more,
    offset: span.from,
    next_offset: span.to,
    timed_out: false,
  };
};

/** A terminal echoes a line; where it does not, the program itself ends it. */
const isNews = (ring: OutputRing, sent: string): boolean => {
  const spans = ring.ungiven;
  const bytes = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes === 0) return false;
  if (sent === '' || bytes > 2 * Buffer.byteLength(sent) + 2) return true;
  const plain = (text: string) => text.replaceAll('\r', '');
  const shown = plain(spans.map(({ from, to }) => ring.slice(from, to).toString()).join(''));
  return !plain(sent).startsWith(shown) && shown !== '\n';
};

type Patience = Pick<DrainOptions, 'ms' | 'clock' | 'strictWaits'> & {
  signal: AbortSignal | undefined;
};

/** Until nothing has come for a moment, or nothing can come before the agent answers. */
const quiet = async (
  session: DialectSession<OutputRing>,
  { ms, clock, strictWaits, signal }: Patience,
): Promise<void> => {
  const ring = session.output;
  const endMs = clock.now() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = endMs - clock.now()) {
    const { end } = ring;
    await session.wait({
      ms: Math.min(QUIET_MS, leftMs),
      signal,
      until: () => ring.end !== end || session.isOver,
      orReady: strictWaits ? undefined : () => true,
    });
    if (ring.end === end || session.isOver) return;
  }
};
