/**
 * Many commands in one session of each shell: is every output and exit code exact, and what does a
 * command cost more than in a shell of its own, started by `bash -c`?
 */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocalSessions } from '../src/session/local-sessions.ts';
import type { RunOptions } from '../src/session/options/options.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';
import { awkward } from './run/awkward.ts';
import { optionsOf, problemsOf } from './run/judge-run.ts';

const shells = ['bash', 'zsh', 'fish'] as const;
/** Plenty: whatever takes so long has gone wrong. */
const TIMEOUT_MS = 10_000;

interface Command {
  line: string;
  output: string;
  exitCode: number;
}

interface Measured {
  ms: number[];
  wrong: number;
  timedOut: number;
}

export const run = async (args: Args): Promise<Report> => {
  const count = numberFlag(args, 'count', 500);
  const home = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  const sessions = new LocalSessions();
  try {
    return await measured(sessions, home, count);
  } finally {
    await sessions.closeAll({ graceMs: 0, force: true });
    rmSync(home, { recursive: true, force: true });
  }
};

const measured = async (sessions: LocalSessions, home: string, count: number): Promise<Report> => {
  const commands = Array.from({ length: count }, (_, at) => command(at));
  const alone = await timed(commands, bashC);
  const found: Record<string, Measured> = { '`bash -c`': alone };
  for (const shell of shells) {
    await sessions.open(optionsOf(shell, home));
    found[`a session of ${shell}`] = await timed(commands, runner(sessions, { session: shell }));
    await sessions.close(shell);
  }
  const few = commands.slice(0, Math.ceil(count / 5));
  found['a fresh shell'] = await timed(few, runner(sessions, { env: { SHELL: '/bin/bash' } }));

  const cases = awkward(home);
  const problems: string[] = [];
  for (const shell of [...shells, 'dash'] as const)
    problems.push(...(await problemsOf(sessions, shell, home, cases)));
  for (const problem of problems) console.error(problem);

  const base = median(alone.ms);
  const all = Object.values(found);
  return {
    question: 'Is every command run exactly, and what does it cost?',
    rows: Object.entries(found).map(([where, { ms, wrong, timedOut }]) => ({
      where,
      commands: ms.length,
      wrong,
      'timed out': timedOut,
      'median ms': median(ms),
      'p99 ms': quantile(ms, 0.99),
      'median over `bash -c`': median(ms) - base,
    })),
    claims: [
      {
        claim: 'every output and every exit code is exact',
        holds: all.every(({ wrong }) => wrong === 0),
      },
      { claim: 'no command timed out', holds: all.every(({ timedOut }) => timedOut === 0) },
      {
        claim: `${cases.length} awkward commands are run exactly, in every shell that has them`,
        holds: cases.length >= 50 && problems.length === 0,
      },
    ],
  };
};

/** Some end without a newline, some fail, some say nothing. */
const command = (at: number): Command => {
  const exitCode = at % 3 === 0 ? 1 : 0;
  const output = ['', `line ${at}`, `line ${at}\nand\tmore `, `no end ${at}`][at % 4]!;
  const said = output === '' || at % 4 === 3 ? output : `${output}\n`;
  const escaped = said.replaceAll('\n', '\\n').replaceAll('\t', '\\t');
  const words = said === '' ? [] : [`printf '${escaped}'`];
  return { line: [...words, exitCode === 0 ? 'true' : 'false'].join('; '), output, exitCode };
};

type Runner = (line: string) => Promise<{ output: string; exitCode?: number; timedOut?: boolean }>;

const runner =
  (sessions: LocalSessions, options: RunOptions): Runner =>
  (line) =>
    sessions.run(line, { ...options, timeoutMs: TIMEOUT_MS });

const bashC: Runner = (line) =>
  new Promise((resolve) => {
    execFile('bash', ['-c', line], (error, output) => {
      const exitCode = error === null ? 0 : Number(error.code);
      resolve({ output: output.replace(/\n$/, ''), exitCode });
    });
  });

const timed = async (commands: readonly Command[], runOne: Runner): Promise<Measured> => {
  const found: Measured = { ms: [], wrong: 0, timedOut: 0 };
  for (const { line, output, exitCode } of commands) {
    const startedMs = performance.now();
    const result = await runOne(line);
    found.ms.push(performance.now() - startedMs);
    if (result.output !== output || result.exitCode !== exitCode) found.wrong++;
    if (result.timedOut) found.timedOut++;
  }
  return found;
};
