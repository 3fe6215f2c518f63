/** Gives what was not given yet, as soon as there is some and the program pauses. */
import type { Call } from '../../session/sessions.ts';
import type { Clock } from '../clock.ts';
import type { OwnSession } from '../own-session.ts';
import { cleaned, type Marks } from './marks.ts';
import type { Ring } from './ring.ts';

export interface Drained {
  output: string;
  more: boolean;
  offset: number;
  next_offset: number;
  timed_out: false;
}

export interface Draining {
  ms: number;
  marks: Marks;
  /** What was sent since the last drain: its mere echo is no news. */
  sent: string;
  clock: Clock;
  call: Call;
}

const MOST_BYTES = 64_000;
const QUIET_MS = 50;
/** A program that is never quiet is given so long. */
const RESTLESS_MS = 1000;
/** One that was answered, and has begun to react, is given so long to come to its next question. */
const REACTION_MS = 3000;

export const drain = async (
  session: OwnSession<Ring>,
  { ms, marks, sent, clock, call: { signal } }: Draining,
): Promise<Drained> => {
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
  if (hasNews()) {
    await quiet(session, { ms: left(RESTLESS_MS), clock, signal });
    // ssh says that it has added a host to a list, and goes on to log in.
    if (sent !== '' && !session.isOver) {
      await session.wait({
        ms: left(REACTION_MS),
        signal,
        until: () => session.isOver,
        orReady: () => true,
        surely: false,
      });
      await quiet(session, { ms: left(RESTLESS_MS), clock, signal });
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
const isNews = (ring: Ring, sent: string): boolean => {
  const spans = ring.ungiven;
  const bytes = spans.reduce((sum, { from, to }) => sum + to - from, 0);
  if (bytes === 0) return false;
  if (sent === '' || bytes > 2 * Buffer.byteLength(sent) + 2) return true;
  const plain = (text: string) => text.replaceAll('\r', '');
  const shown = plain(spans.map(({ from, to }) => ring.slice(from, to).toString()).join(''));
  return !plain(sent).startsWith(shown) && shown !== '\n';
};

/** Until nothing has come for a moment. */
const quiet = async (
  session: OwnSession<Ring>,
  { ms, clock, signal }: { ms: number; clock: Clock; signal: AbortSignal | undefined },
): Promise<void> => {
  const ring = session.output;
  const endMs = clock.now() + ms;
  for (let leftMs = ms; leftMs > 0; leftMs = endMs - clock.now()) {
    const { end } = ring;
    await session.wait({
      ms: Math.min(QUIET_MS, leftMs),
      signal,
      until: () => ring.end !== end || session.isOver,
    });
    if (ring.end === end || session.isOver) return;
  }
};
