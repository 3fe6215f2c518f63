/**
 * Does an honest session suffer from a hostile one in the same daemon?
 *
 * Every case of test/hostile/corpus.ts once; `--minutes 10 --seed N` draws cases at random instead.
 * `--only TEXT` runs the cases whose name or kind has the text, `--ms 600` is how long each of them lasts.
 */
import { join } from 'node:path';
import { seeded } from '../../test/helpers/seeded.ts';
import { corpus } from '../../test/hostile/corpus.ts';
import { startGuardedDaemon } from '../../test/hostile/guarded-daemon.ts';
import type { HostileCase } from '../../test/hostile/hostile-case.ts';
import { Arena, type TrialResult } from '../../test/hostile/trial.ts';
import { type Args, median, numberFlag, quantile, type Report } from '../report/report.ts';

const DAEMON_PROGRAM = join(import.meta.dirname, '../../src/daemon/server/main.js');
const MAX_EXCHANGE_MS = { p95: 25, worst: 250 };
const MAX_READ_MS = 1000;
const MAX_CLOSE_MS = 2000;
const MAX_MEGABYTES = 300;

export const run = async (args: Args): Promise<Report> => {
  const forMs = numberFlag(args, 'ms', 600);
  const arena = await Arena.open(await startGuardedDaemon(DAEMON_PROGRAM));
  const results: TrialResult[] = [];
  try {
    for (const hostile of chosenCases(args)) {
      const result = await arena.try(hostile, forMs);
      results.push(result);
      if (args.flags.verbose || !isGood(result)) console.error(lineOf(result));
      if (!arena.daemon.isRunning()) throw new Error(`The daemon is gone: ${hostile.name}`);
    }
  } finally {
    await arena.end();
  }
  return report(results);
};

function* chosenCases(args: Args): Generator<HostileCase> {
  const only = String(args.flags.only ?? '');
  const chosen = corpus.filter(({ name, kind }) => `${kind}: ${name}`.includes(only));
  if (args.flags.minutes === undefined) return yield* chosen;
  const { pick } = seeded(numberFlag(args, 'seed', 1));
  const untilMs = performance.now() + numberFlag(args, 'minutes', 10) * 60_000;
  while (performance.now() < untilMs) yield pick(chosen);
}

const isGood = ({ exchangesMs, readsMs, closeMs, peakMegabytes, problems }: TrialResult): boolean =>
  problems.length === 0 &&
  Math.max(...exchangesMs) <= MAX_EXCHANGE_MS.worst &&
  quantile(exchangesMs, 0.95) <= MAX_EXCHANGE_MS.p95 &&
  Math.max(...readsMs) <= MAX_READ_MS &&
  closeMs <= MAX_CLOSE_MS &&
  peakMegabytes <= MAX_MEGABYTES;

const lineOf = ({
  name,
  exchangesMs,
  readsMs,
  closeMs,
  peakMegabytes,
  problems,
}: TrialResult): string => {
  const [middle, p95, worst] = [
    median(exchangesMs),
    quantile(exchangesMs, 0.95),
    Math.max(...exchangesMs),
  ].map(Math.round);
  const times = `${exchangesMs.length} exchanges ${middle}/${p95}/${worst} ms`;
  const reads = `${readsMs.length} reads in at most ${Math.round(Math.max(...readsMs))} ms`;
  const told = [
    `${times}, ${reads}, closed in ${Math.round(closeMs)} ms, ${peakMegabytes} MB`,
    ...problems,
  ];
  return `${name}: ${told.join('; ')}`;
};

const report = (results: readonly TrialResult[]): Report => {
  const exchanges = results.flatMap(({ exchangesMs }) => exchangesMs);
  const p95 = quantile(exchanges, 0.95);
  const worst = Math.max(...exchanges);
  const megabytes = Math.max(...results.map(({ peakMegabytes }) => peakMegabytes));
  const readMs = Math.max(...results.flatMap(({ readsMs }) => readsMs));
  const closeMs = Math.max(...results.map((result) => result.closeMs));
  const problems = results.flatMap((result) => result.problems).length;
  return {
    question: 'Does an honest session suffer from a hostile one in the same daemon?',
    rows: [...new Set(results.map(({ kind }) => kind))].map((kind) =>
      rowOf(
        kind,
        results.filter((result) => result.kind === kind),
      ),
    ),
    claims: [
      {
        claim: `95 % of ${exchanges.length} exchanges take at most ${MAX_EXCHANGE_MS.p95} ms (${p95.toFixed(1)})`,
        holds: p95 <= MAX_EXCHANGE_MS.p95,
      },
      {
        claim: `none takes more than ${MAX_EXCHANGE_MS.worst} ms (${worst.toFixed(0)})`,
        holds: worst <= MAX_EXCHANGE_MS.worst,
      },
      {
        claim: `the daemon takes at most ${MAX_MEGABYTES} MB (${megabytes})`,
        holds: megabytes <= MAX_MEGABYTES,
      },
      {
        claim: `every read of the hostile session itself takes at most ${MAX_READ_MS} ms (${readMs.toFixed(0)})`,
        holds: readMs <= MAX_READ_MS,
      },
      {
        claim: `every close is done within ${MAX_CLOSE_MS} ms (${closeMs.toFixed(0)})`,
        holds: closeMs <= MAX_CLOSE_MS,
      },
      {
        claim: `every answer is right, and nothing is left that is not named (${problems} problems)`,
        holds: problems === 0,
      },
    ],
  };
};

const rowOf = (kind: string, results: readonly TrialResult[]): Report['rows'][number] => {
  const exchanges = results.flatMap(({ exchangesMs }) => exchangesMs);
  return {
    kind,
    cases: results.length,
    exchanges: exchanges.length,
    'median ms': median(exchanges),
    'p95 ms': quantile(exchanges, 0.95),
    'worst ms': Math.max(...exchanges),
    'read ms': Math.max(...results.flatMap(({ readsMs }) => readsMs)),
    'close ms': Math.max(...results.map(({ closeMs }) => closeMs)),
    MB: Math.max(...results.map(({ peakMegabytes }) => peakMegabytes)),
  };
};
