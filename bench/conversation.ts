/**
 * A conversation through the library, beside the time the programs themselves need for it.
 *
 * What they need is measured by a driver that knows each prompt in advance and goes on in the very
 * moment it is printed: nobody who has to find out can be faster. Both have the conversation at the
 * same time and take turns, exchange by exchange, since a machine may be twice as slow a second
 * later; and both are timed from the start of the program to its last answer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as runProgram } from '../conversations/scenes/run.ts';
import { scenes } from '../conversations/scenes.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { openPty, type Pty } from '../src/system/terminal/pty.ts';
import { type Script, scripts } from './conversation/scripts.ts';
import { type Args, median, numberFlag, type Report } from './report/report.ts';

const PATH = '/usr/bin:/bin:/usr/sbin';
const LIMIT_MS = 30_000;
const NOTHING = { env: {}, strike: async () => {} };

export const run = async (args: Args): Promise<Report> => {
  const rounds = numberFlag(args, 'rounds', 9);
  const { only } = args.flags;
  const rows: Report['rows'] = [];
  const all: Pair[] = Array.from({ length: rounds }, () => ({ program: [], repartee: [] }));
  for (const script of scripts.filter(({ name }) => only === undefined || name === only)) {
    const pairs: Pair[] = [];
    for (let round = 0; round < rounds; round++) {
      const pair = await converse(script, round);
      pairs.push(pair);
      all[round]!.program.push(...pair.program);
      all[round]!.repartee.push(...pair.repartee);
    }
    const exchangeMs = (side: keyof Pair) => median(pairs.flatMap((pair) => pair[side].slice(1)));
    rows.push({
      program: script.name,
      exchanges: script.lines.length,
      ...summary(pairs),
      'an exchange, program ms': exchangeMs('program'),
      'repartee ms more': exchangeMs('repartee') - exchangeMs('program'),
    });
  }
  const whole = summary(all);
  rows.push({ program: 'all', ...whole });
  return {
    question: 'How much longer does a conversation take than the program itself?',
    rows,
    claims: [
      // Of the whole: where an exchange takes the program a millisecond, nobody who asks can be as fast.
      {
        claim: `the ratio of all, ${whole.ratio.toFixed(2)}, is at most 1.15`,
        holds: whole.ratio <= 1.15,
      },
    ],
  };
};

/** Milliseconds, of the start and then of each exchange. */
interface Pair {
  program: number[];
  repartee: number[];
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, ms) => total + ms, 0);

/** The ratio is that of the middle round: the two sides of one round had the same machine. */
const summary = (pairs: readonly Pair[]) => ({
  'program ms': median(pairs.map(({ program }) => sum(program))),
  'repartee ms': median(pairs.map(({ repartee }) => sum(repartee))),
  ratio: median(pairs.map(({ program, repartee }) => sum(repartee) / sum(program))),
});

/** One round, in which the sides take turns in going first. */
const converse = (script: Script, round: number): Promise<Pair> =>
  inFolder(script, (program) =>
    inFolder(script, async (repartee) => {
      const timings: Pair = { program: [], repartee: [] };
      const sides = [
        { timing: timings.program, partner: byPrompts(script, program) },
        { timing: timings.repartee, partner: byTheLibrary(script, repartee) },
      ];
      if (round % 2 === 1) sides.reverse();
      for (const line of [undefined, ...script.lines]) {
        for (const { timing, partner } of sides) {
          const started = performance.now();
          await (line === undefined ? partner.start() : partner.say(line));
          timing.push(performance.now() - started);
        }
      }
      for (const { partner } of sides) await partner.end();
      return timings;
    }),
  );

interface Place {
  cwd: string;
  env: Readonly<Record<string, string>>;
}

const inFolder = async <T>(script: Script, act: (place: Place) => Promise<T>): Promise<T> => {
  const cwd = mkdtempSync(join(tmpdir(), 'repartee-'));
  const scene = script.scene === undefined ? NOTHING : await scenes[script.scene]!(cwd);
  const env = { PATH, HOME: cwd, TERM: 'xterm-256color', LANG: 'C.UTF-8', PAGER: 'cat' };
  try {
    if (script.before !== undefined) await runProgram('sh', ['-c', script.before], { cwd, env });
    return await act({ cwd, env: { ...env, ...scene.env } });
  } finally {
    await scene.strike();
    rmSync(cwd, { recursive: true, force: true });
  }
};

/** Who has the conversation. Each step ends with the program's turn over. */
interface Partner {
  start(): Promise<void>;
  say(line: string): Promise<void>;
  end(): Promise<void>;
}

const byTheLibrary = ({ command, name }: Script, place: Place): Partner => {
  const sessions = new LocalSessions();
  const answered = async (what: string, result: Promise<{ timedOut?: boolean }>) => {
    const { timedOut } = await result;
    if (timedOut) throw new Error(`${name} did not answer ${what}`);
  };
  return {
    start: () => answered('at all', sessions.open({ command, name: 'it', ...place })),
    say: (text) => answered(text, sessions.send('it', { text, timeoutMs: LIMIT_MS })),
    end: () => sessions.closeAll().then(() => {}),
  };
};

const byPrompts = ({ command, prompt, name }: Script, { cwd, env }: Place): Partner => {
  let output = '';
  let check = () => {};
  let hasExited = false;
  let pty: Pty;
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString('latin1');
    check();
  };
  const prompted = (what: string) =>
    new Promise<void>((resolve, reject) => {
      const complaint = new Error(`${name}: no prompt after ${what}`);
      const limit = setTimeout(() => reject(complaint), LIMIT_MS);
      check = () => {
        if (!hasExited && !output.endsWith(prompt)) return;
        clearTimeout(limit);
        check = () => {};
        resolve();
      };
      check();
    });
  return {
    async start() {
      const [program = '', ...args] = command;
      pty = await openPty({ program, args, cwd, env, cols: 120, rows: 40, onOutput });
      void pty.exited.then(() => {
        hasExited = true;
        check();
      });
      await prompted('the start');
    },
    async say(line) {
      output = '';
      const answered = prompted(line);
      await pty.write(`${line}\r`);
      await answered;
    },
    end: () => pty.close().then(() => {}),
  };
};
