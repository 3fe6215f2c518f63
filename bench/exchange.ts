/**
 * Type, read the answer, know that it is complete: how long does `send` take, and is it ever wrong?
 *
 * Beside it pexpect, which is told the answer and the prompt, in turns. Both think between exchanges.
 * `--runs 1000`, `--only NAME`, `--busy` (both processors), `--thinking 0` (back to back).
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { scenes } from '../conversations/scenes.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { env, type Partner, partners } from './exchange/partners.ts';
import { size, startPexpect, THINKING_MS } from './exchange/pexpect.ts';
import { withBusyProcessors } from './report/busy-processors.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report/report.ts';

const LIMIT_MS = 5000;
/**
 * Then both begin anew. Which processor a program and its threads get is decided by chance when it starts,
 * and on a busy machine that makes a difference of milliseconds for as long as it runs.
 */
const PER_TURN = 100;
const ABOVE_MS = 3;
/** ipython numbers its prompts, so everyone begins at the first. */
const FIRST = 0;

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 1000);
  const { only } = args.flags;
  const chosen = partners.filter(({ name }) => only === undefined || name === only);
  const found: ({ partner: Partner } & Measured)[] = [];
  const thinkingMs = numberFlag(args, 'thinking', THINKING_MS);
  const measureAll = async () => {
    for (const partner of chosen)
      found.push({ partner, ...(await measure(partner, runs, thinkingMs)) });
  };
  await (args.flags.busy ? withBusyProcessors(measureAll) : measureAll());
  return {
    question: 'How long from typing to the answer of `send`, and is it ever wrong?',
    rows: found.map(({ partner, ours, theirs, early, late, certain }) => ({
      program: partner.name,
      exchanges: ours.length,
      'median ms': median(ours),
      'p99 ms': quantile(ours, 0.99),
      'pexpect median ms': median(theirs),
      'pexpect p99 ms': quantile(theirs, 0.99),
      early,
      'time-outs': late,
      certain,
    })),
    claims: [
      ...found.map(({ partner: { name, aboveMs = ABOVE_MS }, ours, theirs }) => ({
        claim: `${name}: at most ${aboveMs} ms above pexpect (${above(ours, theirs).toFixed(2)})`,
        holds: above(ours, theirs) <= aboveMs,
      })),
      { claim: 'no answer came too early', holds: found.every(({ early }) => early === 0) },
      { claim: 'no exchange timed out', holds: found.every(({ late }) => late === 0) },
    ],
  };
};

const above = (ours: readonly number[], theirs: readonly number[]): number =>
  median(ours) - median(theirs);

interface Measured {
  ours: number[];
  theirs: number[];
  early: number;
  late: number;
  certain: number;
}

const measure = async (partner: Partner, runs: number, thinkingMs: number): Promise<Measured> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-bench-'));
  const scene = partner.scene === undefined ? undefined : await scenes[partner.scene]!(folder);
  const fullEnv = { ...env, HOME: folder, ...scene?.env };
  const measured: Measured = { ours: [], theirs: [], early: 0, late: 0, certain: 0 };
  try {
    for (let left = runs; left > 0; left -= PER_TURN) {
      const count = Math.min(PER_TURN, left);
      await ourTurn({ partner, folder, env: fullEnv, thinkingMs }, count, measured);
      const pexpect = await startPexpect(partner, fullEnv, { firstNumber: FIRST, thinkingMs });
      measured.theirs.push(...(await pexpect.converse(FIRST, count)));
      await pexpect.close();
    }
  } finally {
    await scene?.strike();
    rmSync(folder, { recursive: true, force: true });
  }
  return measured;
};

interface Place {
  partner: Partner;
  folder: string;
  env: Readonly<Record<string, string>>;
  thinkingMs: number;
}

const ourTurn = async (
  { partner, folder, env, thinkingMs }: Place,
  count: number,
  measured: Measured,
): Promise<void> => {
  const sessions = new LocalSessions();
  try {
    const { program, args } = partner;
    await sessions.open({ command: [program, ...args], name: 'it', cwd: folder, env, ...size });
    for (let n = FIRST; n < FIRST + count; n++) {
      await delay(Math.random() * thinkingMs);
      await exchange(sessions, partner, n, measured);
    }
  } finally {
    await sessions.closeAll({ force: true, graceMs: 0 });
  }
};

const exchange = async (
  sessions: LocalSessions,
  { says, answers }: Partner,
  n: number,
  measured: Measured,
): Promise<void> => {
  const typed = says(n);
  const input = typed.endsWith('\r')
    ? { text: typed.slice(0, -1) }
    : { text: typed, submit: false };
  const started = performance.now();
  const { output, timedOut, certainty } = await sessions.send('it', {
    ...input,
    view: 'raw',
    timeoutMs: LIMIT_MS,
  });
  measured.ours.push(performance.now() - started);
  if (timedOut) measured.late++;
  if (certainty === 'certain') measured.certain++;
  if (!stripEscapes(output).includes(stripEscapes(answers(n)))) measured.early++;
};

const stripEscapes = (text: string) => text.replace(/\x1b\[[?0-9;]*[a-zA-Z]|\r/g, '');
