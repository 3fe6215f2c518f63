/**
 * Is this build as fast as another? `npm run bench compare -- --base DIR`, where DIR is a checkout of
 * another commit with its dependencies installed. `--benches exchange,flood --pairs 40 --most 1.05
 * --log FILE`; with a log, a run that was stopped goes on where it was. `--keeper` compares this build with
 * itself: ours has a keeper, the base has none.
 *
 * It does not run the benches of the two commits, which take minutes and may measure different things,
 * but its own short versions of them (compare/benches/) on the library of either commit, as far as
 * both export it. A machine may be twice as slow a second later, so the builds take turns many times
 * in a second (compare/pair.ts), and the base takes part twice: what its two processes seem to differ
 * by is what the method gets wrong. On a busy machine, root may put `chrt --rr 1` before the command:
 * the processes then go before all others, which `nice` cannot do for programs in other sessions.
 */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { benches } from './compare/benches.ts';
import { build, commitOf, ours } from './compare/checkout.ts';
import { type Pair, PairLog } from './compare/log.ts';
import { runPair, type Values } from './compare/pair.ts';
import { meanRatio, type Ratio } from './compare/statistics.ts';
import { type Args, median, numberFlag, type Report } from './report/report.ts';

const USUAL = 'exchange,conversation,flood,scale';
const THROUGH_DAEMON = 'daemon,daemon-scale';

export const run = async (args: Args): Promise<Report> => {
  const isKept = args.flags.keeper === true;
  const usual = isKept ? THROUGH_DAEMON : USUAL;
  const { base = isKept ? ours : undefined, log: file, benches: names = usual } = args.flags;
  if (typeof base !== 'string') throw new Error('--base DIR: a checkout to compare with');
  if (file === true) throw new Error('--log FILE: where pairs are kept');
  const chosen = String(names).split(',');
  for (const name of chosen)
    if (benches[name] === undefined) throw new Error(`there is no bench ${name} to compare`);
  const checkout = resolve(base);
  build(checkout);
  const compared = {
    base: commitOf(checkout),
    ours: `${isKept ? 'with a keeper, ' : ''}${commitOf(ours)}`,
  };
  const pairs = numberFlag(args, 'pairs', 40);
  const log = new PairLog(file, compared);
  const finished = await runPairs({ chosen, count: pairs, base: checkout, isKept }, log);
  const most = numberFlag(args, 'most', 1.05);
  const rows = chosen.flatMap((bench) =>
    compareMetrics(
      bench,
      finished.filter((pair) => pair.bench === bench),
    ),
  );
  return {
    question: `Is ${compared.ours} as fast as ${compared.base}?`,
    rows: rows.map(({ ratio, control, ...row }) => ({
      ...row,
      'ours / base': inWords(ratio),
      'base / base': inWords(control),
    })),
    claims: rows.map(({ bench, metric, ratio }) => ({
      claim: `${bench}, ${metric}: ${inWords(ratio)} is at most ${most}`,
      holds: ratio.most <= most,
    })),
  };
};

interface PairsOptions {
  chosen: readonly string[];
  count: number;
  /** A checkout. */
  base: string;
  isKept: boolean;
}

/** All benches in turns, so that a run that is stopped has as many pairs of each. */
const runPairs = async (
  { chosen, count, base, isKept }: PairsOptions,
  log: PairLog,
): Promise<Pair[]> => {
  const finished = log.read();
  const folder = mkdtempSync(join(tmpdir(), 'repartee-compare-'));
  // As all below it: a database server that is not root's has to get to its files.
  chmodSync(folder, 0o711);
  const prepared = new Map<string, string>();
  const undo: (() => Promise<void>)[] = [];
  let isStopped = false;
  // Servers were started, and would stay. A second signal ends it at once.
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => (isStopped = true));
  const prepare = async (bench: string) => {
    const shared = mkdtempSync(join(folder, `${bench}-`));
    chmodSync(shared, 0o711);
    prepared.set(bench, shared);
    const remove = await benches[bench]!.prepare?.(shared);
    if (remove !== undefined) undo.push(remove);
    return shared;
  };
  try {
    for (let number = 0; number < count; number++)
      for (const bench of chosen) {
        if (finished.filter((pair) => pair.bench === bench).length > number) continue;
        if (isStopped) throw new Error('stopped by a signal');
        const shared = prepared.get(bench) ?? (await prepare(bench));
        const started = performance.now();
        const values = await runPair({ bench, number, base, ours, shared, isKept });
        finished.push({ bench, values });
        log.append({ bench, values });
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        console.error(`${bench} ${number + 1} of ${count}, ${seconds} s: ${progress(values)}`);
      }
  } finally {
    for (const remove of undo) await remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return finished;
};

/** Ours beside the geometric mean of both processes of the base, as two are less noisy than one. */
const ratioOf = ({ base, ours, again }: Values[string]) => ours / Math.sqrt(base * again);

const compareMetrics = (bench: string, pairs: readonly Pair[]) =>
  Object.keys(pairs[0]?.values ?? {}).map((metric) => {
    const values = pairs.map((pair) => pair.values[metric]!);
    return {
      bench,
      metric,
      pairs: pairs.length,
      base: median(values.map(({ base }) => base)),
      ours: median(values.map(({ ours }) => ours)),
      ratio: meanRatio(values.map(ratioOf)),
      control: meanRatio(values.map(({ base, again }) => again / base)),
    };
  });

const progress = (values: Values) =>
  Object.entries(values)
    .map(([metric, value]) => `${metric} ${ratioOf(value).toFixed(2)}`)
    .join(', ');

const inWords = ({ mean, least, most }: Ratio) =>
  `${mean.toFixed(3)} (${least.toFixed(3)} to ${most.toFixed(3)})`;
