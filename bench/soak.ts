/**
 * Random operations on sessions, for as long as asked, beside a model of what should be alive.
 *
 * Several hands work at once for a while, then all rest and the model is compared with what is:
 * sessions, processes, descriptors, timers. A chapter ends with everything closed; then nothing may
 * be left, and memory must not grow from one end of a chapter to the other. The first mismatch ends
 * it all, with the seed and the history of what was done.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { queryObjects, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Screen } from '../src/screen/screen.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { Session } from '../src/session/session.ts';
import { type Args, median, numberFlag, type Report } from './report/report.ts';
import { Dice } from './soak/dice.ts';
import type { Bench, Operation } from './soak/hand.ts';
import { descriptorLinks, Model } from './soak/model.ts';
import { operations } from './soak/operations.ts';

const HANDS = 4;
/** Between two comparisons, by each hand. */
const STEPS = 30;
const CHAPTER_MS = 15_000;
/** No operation waits for longer than half of this, nor does closing. */
const HANG_MS = 60_000;
/** What is known only a moment later (an exit, a closed descriptor) has this long to become true. */
const SETTLE_MS = 5000;
const HISTORY = 80;

export const run = async (args: Args): Promise<Report> => {
  const minutes = numberFlag(args, 'minutes', 10);
  const seed = numberFlag(args, 'seed', Date.now() % 1_000_000);
  console.error(`seed ${seed}`);
  await warmUp();
  const soak = new Soak(seed);
  const printed = new Set<string>();
  console.warn = (...what) => printed.add(String(what[0]));
  const turns = monitorEventLoopDelay();
  turns.enable();
  const before = resources();
  const memory: Memory[] = [];
  const endMs = performance.now() + minutes * 60_000;
  while (soak.mismatch === undefined && performance.now() < endMs) {
    await soak.chapter(Math.min(CHAPTER_MS, endMs - performance.now()));
    await soak.leavesNothing(before);
    const { heap, rss, kept } = await memoryNow();
    memory.push({ heap, rss, kept });
    const size = `heap ${heap.toFixed(1)} MB, rss ${rss.toFixed(1)} MB, ${kept} sessions kept`;
    console.error(`chapter ${memory.length}: ${soak.steps} operations so far, ${size}`);
  }
  for (const line of printed) console.error(`printed: ${line}`);
  if (soak.mismatch !== undefined) console.error(soak.account());
  const growth = growthOf(memory);
  const after = resources();
  return {
    question: `What is left after ${minutes} minutes of random operations (seed ${seed})?`,
    rows: [
      { what: 'chapters', before: '', after: memory.length },
      { what: 'comparisons', after: soak.comparisons },
      ...Object.entries(soak.counts).map(([what, after]) => ({ what, after })),
      { what: 'descriptors', before: before.descriptors.length, after: after.descriptors.length },
      { what: 'active resources', before: before.active.length, after: after.active.length },
      { what: 'a turn of the event loop, ms, 99 %', after: turns.percentile(99) / 1e6 },
      { what: 'the longest turn, ms', after: turns.max / 1e6 },
      { what: 'heap MB, 2nd quarter and last', before: growth.heap[0], after: growth.heap[1] },
      { what: 'memory MB, 2nd quarter and last', before: growth.rss[0], after: growth.rss[1] },
    ],
    claims: [
      {
        claim: 'what should be alive was, nothing else was, and nothing was left',
        holds: soak.mismatch === undefined,
      },
      { claim: 'neither the library nor what it uses complained', holds: printed.size === 0 },
      {
        claim: 'at the end no session or screen was kept in memory',
        holds: memory.at(-1)?.kept === 0,
      },
      ...(['heap', 'rss'] as const).map((what) => {
        const [second, last] = growth[what];
        const grown = last - second;
        return {
          claim: `${what} grew by ${grown.toFixed(1)} MB in the second half, at most ${MOST_MB[what]}`,
          holds: grown <= MOST_MB[what],
        };
      }),
    ],
  };
};

/** Loads what is loaded once, and leaves the descriptors that are kept for good. */
const warmUp = async () => {
  await using sessions = new LocalSessions();
  await sessions.open({ command: ['cat'], name: 'cat' });
  await sessions.send('cat', { text: 'hi', match: 'hi' });
};

class Soak {
  readonly counts: Record<string, number> = {};
  comparisons = 0;
  mismatch: string | undefined;
  readonly #sessions = new LocalSessions();
  readonly #model: Model;
  readonly #hands: Dice[];
  /** The last operations, and those still under way. */
  readonly #history: { line: string }[] = [];

  constructor(seed: number) {
    this.#model = new Model(`${process.pid}-${seed}`);
    this.#hands = Array.from({ length: HANDS }, (_, hand) => new Dice(seed * HANDS + hand));
  }

  /** Random operations, and in the end all is closed. */
  async chapter(ms: number): Promise<void> {
    const endMs = performance.now() + ms;
    while (this.mismatch === undefined && performance.now() < endMs) {
      await Promise.all(this.#hands.map((dice, hand) => this.#work(hand, dice, endMs)));
      await this.#compare();
    }
    await this.#sessions.closeAll({ graceMs: 100, force: true });
    this.#model.alive.clear();
    for (const pid of this.#model.survivors) endSurvivor(pid);
    this.#model.survivors.clear();
  }

  get steps(): number {
    return Object.values(this.counts).reduce((sum, count) => sum + count, 0);
  }

  async leavesNothing(before: Resources): Promise<void> {
    await this.#settled(() => {
      const left = this.#model.processes().map(({ pid }) => `process ${pid} is left`);
      const { descriptors, active } = resources();
      if (descriptors.length > before.descriptors.length)
        left.push(`descriptors ${descriptors}; before: ${before.descriptors}`);
      if (active.length > before.active.length)
        left.push(`active: ${active}; before: ${before.active}`);
      return left;
    });
  }

  account(): string {
    const lines = this.#history.map(({ line }) => line);
    return [...lines, '', `mismatch: ${this.mismatch}`].join('\n');
  }

  async #work(hand: number, dice: Dice, endMs: number): Promise<void> {
    for (let step = 0; step < STEPS; step++) {
      if (this.mismatch !== undefined || performance.now() > endMs) return;
      await this.#step(hand, dice, dice.weighted(operations));
    }
  }

  async #step(hand: number, dice: Dice, { name, act }: Operation): Promise<void> {
    this.counts[name] = (this.counts[name] ?? 0) + 1;
    const entry = { line: `${(performance.now() / 1000).toFixed(3)} hand ${hand}: ${name}` };
    this.#history.push(entry);
    if (this.#history.length > HISTORY) this.#history.shift();
    const note = (what: string) => {
      entry.line += `, ${what}`;
    };
    const bench: Bench = { sessions: this.#sessions, model: this.#model, dice, note };
    const hangs = new AbortController();
    const limit = delay(HANG_MS, 'hangs', { ref: false, signal: hangs.signal }).catch(() => '');
    try {
      if ((await Promise.race([act(bench), limit])) === 'hangs') throw new Error('it hangs');
      entry.line += ': done';
    } catch (error) {
      this.mismatch ??= `${entry.line}: ${(error as Error).stack}`;
    } finally {
      hangs.abort();
    }
  }

  async #compare(): Promise<void> {
    this.comparisons++;
    await this.#settled(async () => {
      const found = await this.#model.disagreements(this.#sessions);
      const timers = resources().active.filter((what) => /Timeout|Immediate/.test(what));
      // One keeps Node running while programs run. Nobody waits, so nothing is asked again.
      return timers.length <= 1 ? found : [...found, `at rest there are timers: ${timers}`];
    });
  }

  async #settled(look: () => string[] | Promise<string[]>): Promise<void> {
    if (this.mismatch !== undefined) return;
    const endMs = performance.now() + SETTLE_MS;
    for (;;) {
      const found = await look();
      if (found.length === 0) return;
      if (performance.now() > endMs) {
        this.mismatch = found.join('\n');
        return;
      }
      await delay(20);
    }
  }
}

interface Resources {
  descriptors: string[];
  /** What would keep Node running: timers, streams, children. */
  active: string[];
}

const resources = (): Resources => ({
  descriptors: descriptorLinks(),
  active: process.getActiveResourcesInfo().sort(),
});

/** As Node counts them, after a collection. */
const objectsOf = (kind: { prototype: object }): number =>
  Number(queryObjects(kind as Parameters<typeof queryObjects>[0], { format: 'count' }));

const endSurvivor = (pid: number) => {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // A later close with force has ended it.
  }
};

interface Memory {
  heap: number;
  rss: number;
  /** Objects of sessions and screens, all of which are closed. */
  kept: number;
}

/** Of the heap nothing may stay; the allocator may keep some of what it had from the system. */
const MOST_MB = { heap: 3, rss: 20 };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** What is freed at one collection lets go of more: a few in a row find a level. */
const memoryNow = async (): Promise<Memory> => {
  for (let time = 0; time < COLLECTIONS; time++) {
    collectGarbage();
    await delay(20);
  }
  const { heapUsed, external, rss } = process.memoryUsage();
  const kept = objectsOf(Session) + objectsOf(Screen);
  return { heap: (heapUsed + external) / 2 ** 20, rss: rss / 2 ** 20, kept };
};

const COLLECTIONS = 5;

/** Medians of the second quarter and of the last: the first still warms up. */
const growthOf = (memory: readonly Memory[]): Record<'heap' | 'rss', [number, number]> => {
  const quarter = (at: number) =>
    memory.slice(Math.floor((memory.length * at) / 4), Math.ceil((memory.length * (at + 1)) / 4));
  const of = (what: 'heap' | 'rss'): [number, number] => [
    median(quarter(1).map((sample) => sample[what])),
    median(quarter(3).map((sample) => sample[what])),
  ];
  return { heap: of('heap'), rss: of('rss') };
};
