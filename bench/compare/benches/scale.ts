/**
 * Many sessions: milliseconds to open one, and memory when all have been used.
 *
 * Resident is the memory of the whole process. A difference would not compare: V8 returns little of what
 * it has taken, so a build that loads less begins with less, and seems to need more for each session.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Sessions } from '../../../src/index.ts';
import { type Bench, bash } from '../bench.ts';

const WARM_UP = 10;
const AT_A_TURN = 3;
const OPENING_TURNS = 21;
const OPENED = AT_A_TURN * OPENING_TURNS;

export const scale: Bench = {
  // The last turn measures the memory.
  turns: OPENING_TURNS + 1,
  async open({ LocalSessions }) {
    const sessions = new LocalSessions({ maxSessions: WARM_UP + OPENED });
    const openSome = async (count: number) => {
      const times: number[] = [];
      for (let at = 0; at < count; at++) times.push(await openUsed(sessions));
      return times;
    };
    await openSome(WARM_UP);
    await collect();
    const before = memory();
    return {
      async turn(at) {
        if (at < OPENING_TURNS) return [{ metric: 'open ms', values: await openSome(AT_A_TURN) }];
        await collect();
        const after = memory();
        const megabytes = (bytes: number) => bytes / 2 ** 20;
        return [
          { metric: 'MB, resident', values: [megabytes(after.resident)] },
          { metric: 'MB each, held', values: [megabytes(after.held - before.held) / OPENED] },
        ];
      },
      end: async () => void (await sessions.closeAll({ graceMs: 0 })),
    };
  },
};

/** Opens a shell and uses it. Returns how long the opening took. */
export const openUsed = async (sessions: Sessions): Promise<number> => {
  const started = performance.now();
  // Not until it is ready: that is bash's time, which is waited for before the next is timed.
  const { session } = await sessions.open({ ...bash, timeoutMs: 0 });
  const ms = performance.now() - started;
  await sessions.read(session, { until: 'ready', timeoutMs: 30_000 });
  // It shall have scrolled and been read, as a used one has.
  await sessions.send(session, { text: 'seq 1 100' });
  return ms;
};

/** Resident memory also counts what the collector has not returned: held are objects and buffers. */
const memory = () => {
  const { rss, heapUsed, external } = process.memoryUsage();
  return { resident: rss, held: heapUsed + external };
};

/** What was held by an object goes in the turn of the event loop after the object. */
const collect = async () => {
  for (let at = 0; at < 3; at++) {
    global.gc?.();
    await delay(10);
  }
};
