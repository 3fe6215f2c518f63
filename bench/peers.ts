/**
 * The same work through us and through what people use today, in one run.
 *
 * `npm run bench peers`: all but Codex, three rounds. `--all` with Codex, `--quick` one round,
 * `--only TASK,…` and `--with PEER,…` for some of it. Writes docs/reference/benchmarks.md unless only
 * some was asked for, and every answer as it came to bench/peers/answers.json.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { type Args, numberFlag, type Report } from './report/report.ts';
import { codex } from './versus/adapters/codex.ts';
import { desktopCommander } from './versus/adapters/desktop-commander.ts';
import { expect } from './versus/adapters/expect.ts';
import { pexpect } from './versus/adapters/pexpect.ts';
import { terminalcp } from './versus/adapters/terminalcp.ts';
import { tmux } from './versus/adapters/tmux.ts';
import { tuistory } from './versus/adapters/tuistory.ts';
import { us } from './versus/adapters/us.ts';
import { now } from './versus/clock.ts';
import { Contest } from './versus/contest.ts';
import { page, picture } from './versus/page.ts';
import { isExplained } from './versus/reasons.ts';
import { standings } from './versus/standings.ts';
import { tasks as allTasks } from './versus/tasks.ts';

const ROOT = join(import.meta.dirname, '../..');
const ROUNDS = 3;
/** Nobody waits longer for a table; with what is left after that the last round can end. */
const ENOUGH_MS = 8.5 * 60_000;

const everybody = [us, desktopCommander, terminalcp, tuistory, tmux, pexpect, expect];

export const run = async (args: Args): Promise<Report> => {
  const started = now();
  const loadBefore = loadavg()[0] ?? 0;
  const chosen = chooser(args);
  const candidates = args.flags.all ? [...everybody, codex] : everybody;
  const wanted = candidates.filter(({ name }) => chosen('with', name));
  const tasks = allTasks.filter(({ id }) => chosen('only', id));
  const versions = new Map(
    await Promise.all(wanted.map(async (peer) => [peer, await peer.install()] as const)),
  );
  const peers = wanted.filter((peer) => versions.get(peer) !== undefined);
  const most = numberFlag(args, 'rounds', args.flags.quick ? 1 : ROUNDS);

  const contest = new Contest();
  // Servers and programs of others must not outlive us.
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void contest.end().then(() => process.exit(1)));
  let rounds = 0;
  try {
    rounds = await contest.run(peers, tasks, { rounds: most, untilMs: started + ENOUGH_MS });
  } finally {
    await contest.end();
  }

  const table = standings(contest.attempts, tasks, peers);
  const minutes = (now() - started) / 60_000;
  const answers = join(ROOT, 'bench/peers/answers.json');
  mkdirSync(join(ROOT, 'bench/peers'), { recursive: true });
  writeFileSync(answers, JSON.stringify(contest.attempts, null, 1));
  if (args.flags.only === undefined && args.flags.with === undefined) {
    const { attempts } = contest;
    const whole = { table, tasks, peers, versions, attempts, rounds, minutes, loadBefore };
    writeFileSync(join(ROOT, 'docs/reference/benchmarks.md'), page(whole));
    writeFileSync(join(ROOT, 'docs/reference/benchmarks.svg'), picture(whole));
  }
  return {
    question: 'The same work through us and through what people use today',
    rows: table.map(({ task, cells }) => ({
      task: task.id,
      ...Object.fromEntries(cells.map(({ peer, shown }) => [peer.name, shown])),
    })),
    claims: claims(table, minutes),
  };
};

const claims = (table: ReturnType<typeof standings>, minutes: number): Report['claims'] => {
  const wrong = table.filter(({ cells }) => !cells[0]?.right).map(({ task }) => task.id);
  const unexplained = table.flatMap(({ task, cells, faster }) =>
    cells
      .filter((cell) => faster.includes(cell.peer.name) && !isExplained(task, cell))
      .map(({ peer }) => `${task.id} (${peer.name})`),
  );
  return [
    { claim: `we are right in every task${listed(wrong)}`, holds: wrong.length === 0 },
    {
      claim: `where somebody who is right is faster, the page says why${listed(unexplained)}`,
      holds: unexplained.length === 0,
    },
    { claim: `it took ${minutes.toFixed(1)} minutes, less than 10`, holds: minutes < 10 },
  ];
};

const listed = (names: readonly string[]): string =>
  names.length === 0 ? '' : `; not in: ${names.join('; ')}`;

const chooser =
  ({ flags }: Args) =>
  (flag: string, name: string) => {
    const value = flags[flag];
    return typeof value !== 'string' || value.split(',').includes(name);
  };
