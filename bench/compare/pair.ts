/**
 * One pair: the base, ours and the base again as three processes that take turns.
 *
 * Only one of them works at any time. A turn is a fraction of a second, so whatever else the machine
 * does meets all three; the processes are new in each pair, since two processes of the same build
 * differ by some percent for as long as they live (where their memory lies, what was compiled when).
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sample } from './bench.ts';
import { benches } from './benches.ts';

/** `again` is the base as well: the control. */
type Side = 'base' | 'ours' | 'again';
type Samples = Record<Side, Sample[]>;
/** By metric. */
export type Values = Record<string, Record<Side, number>>;

/** To close all its sessions. */
const END_MS = 10_000;
const WORKER = join(import.meta.dirname, 'worker.js');

export interface PairOptions {
  bench: string;
  /** Says with which order it begins. */
  number: number;
  /** Checkouts that are built. */
  base: string;
  ours: string;
  /** What the bench has prepared. */
  shared: string;
  /** Our daemon has a keeper, that of the base has none. */
  isKept: boolean;
}

export const runPair = async (options: PairOptions): Promise<Values> =>
  summarize(await takeTurns(options));

const takeTurns = async (options: PairOptions): Promise<Samples> => {
  const { bench, number, base, ours, shared, isKept } = options;
  const folder = mkdtempSync(join(tmpdir(), 'repartee-pair-'));
  const checkouts = { base, ours, again: base };
  const workers = new Map<Side, ChildProcess>();
  const samples: Samples = { base: [], ours: [], again: [] };
  const order = (turn: number) => orderOf(number, turn);
  try {
    for (const side of order(0)) {
      const own = mkdtempSync(join(folder, 'worker-'));
      const variant = isKept && side === 'ours' ? ['kept'] : [];
      const worker = fork(WORKER, [checkouts[side], bench, own, shared, ...variant], {
        execArgv: ['--expose-gc'],
      });
      workers.set(side, worker);
      await answerOf(worker, `${bench} of ${side}, setting up`);
    }
    for (let turn = 0; turn < benches[bench]!.turns; turn++)
      for (const side of order(turn)) {
        const worker = workers.get(side)!;
        worker.send(turn);
        samples[side].push(...(await answerOf(worker, `${bench} of ${side}, turn ${turn}`)));
      }
  } finally {
    for (const worker of workers.values()) await end(worker);
    rmSync(folder, { recursive: true, force: true });
  }
  return samples;
};

/**
 * Each side is as often first, and as often behind each of the others. Never behind itself: with its
 * caches still warm a process is up to a tenth faster.
 */
const orderOf = (pair: number, turn: number): readonly Side[] => {
  const cycle: Side[] = ['base', 'ours', 'again'];
  if (pair % 2 === 1) cycle.reverse();
  const first = (pair + turn) % cycle.length;
  return [...cycle.slice(first), ...cycle.slice(0, first)];
};

const end = async (worker: ChildProcess): Promise<void> => {
  if (worker.exitCode !== null || worker.signalCode !== null) return;
  const exited = once(worker, 'exit');
  if (worker.connected) worker.disconnect();
  const limit = setTimeout(() => worker.kill('SIGKILL'), END_MS);
  await exited;
  clearTimeout(limit);
};

const answerOf = (worker: ChildProcess, what: string): Promise<Sample[]> =>
  new Promise((resolve, reject) => {
    const onExit = () => reject(new Error(`the process for ${what}, has ended; see above`));
    worker.once('exit', onExit);
    worker.once('message', (samples) => {
      worker.off('exit', onExit);
      resolve(samples as Sample[]);
    });
  });

const summarize = (samples: Samples): Values => {
  const values: Values = {};
  for (const metric of new Set(samples.base.map((sample) => sample.metric)))
    values[metric] = {
      base: total(metric, samples.base),
      ours: total(metric, samples.ours),
      again: total(metric, samples.again),
    };
  return values;
};

/** The sum over the steps of a metric: most have one, a conversation has one for each line. */
const total = (metric: string, samples: readonly Sample[]): number => {
  const steps = new Map<string, number[]>();
  for (const { step = '', values } of samples.filter((sample) => sample.metric === metric))
    steps.set(step, [...(steps.get(step) ?? []), ...values]);
  return [...steps.values()].reduce((sum, values) => sum + fasterHalf(values), 0);
};

/**
 * The mean of the faster half: whatever else the machine does makes a sample slower, never faster.
 * On a busy machine the ratios of medians scatter up to twice as much.
 */
const fasterHalf = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.slice(0, Math.ceil(sorted.length / 2));
  return half.reduce((sum, value) => sum + value, 0) / half.length;
};
