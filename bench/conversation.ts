/**
 * A conversation through the library, beside the time the programs themselves need for it.
 *
 * What they need is measured by a driver that knows each prompt in advance and goes on in the very
 * moment it is printed: nobody who has to find out can be faster. Both take turns in one run, and
 * both are timed from the start of the program to its last answer.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run as runProgram } from '../conversations/scenes/run.ts';
import { scenes } from '../conversations/scenes.ts';
import { openPty } from '../src/pty/pty.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { type Args, median, numberFlag, type Report } from './report.ts';

interface Script {
  name: string;
  scene?: string;
  /** A shell command that prepares the folder, and is not timed. */
  before?: string;
  command: readonly string[];
  /** The prompt after every line, to its last byte. */
  prompt: string;
  lines: readonly string[];
}

const twenty = (line: (at: number) => string) => Array.from({ length: 20 }, (_, at) => line(at));

const counter = `
#include <stdio.h>
int main(void) {
  for (int i = 0; i < 1000; i++) {
    printf("%d\\n", i);
    fflush(stdout);
  }
  return 0;
}
`;

const scripts: readonly Script[] = [
  {
    name: 'python3',
    command: ['python3', '-q'],
    prompt: '>>> ',
    lines: twenty((at) => `sum(i * i for i in range(${200_000 + at}))`),
  },
  {
    name: 'psql',
    scene: 'postgres',
    command: ['psql', '-X'],
    prompt: 'postgres=# ',
    lines: twenty((at) => `SELECT count(*) FROM generate_series(1, ${200_000 + at});`),
  },
  {
    name: 'gdb',
    before: `printf '%s' '${counter}' > c.c && gcc -g -O0 -o c c.c`,
    command: ['gdb', '-q', '-nx', 'c'],
    prompt: '(gdb) ',
    lines: [
      'set debuginfod enabled off',
      'break main',
      'run',
      ...twenty((at) => (at % 2 === 0 ? 'next' : 'print i')).slice(0, 17),
    ],
  },
  {
    // One change in each of twenty files: git applies it before it shows the next.
    name: 'git add -p',
    scene: 'repository',
    before:
      'for n in $(seq 1 20); do seq 1 100 > $n.txt; done && git add . && git commit -qm n && sed -i 50s/5/five/ *.txt',
    // Not color.ui: this program does not heed it, and would end its prompt in a colour.
    command: ['git', '-c', 'color.interactive=false', '-c', 'color.diff=false', 'add', '-p'],
    prompt: '? ',
    lines: twenty(() => 'y'),
  },
];

const PATH = '/usr/bin:/bin:/usr/sbin';
const LIMIT_MS = 30_000;
const NOTHING = { env: {}, strike: async () => {} };

export const run = async (args: Args): Promise<Report> => {
  const rounds = numberFlag(args, 'rounds', 7);
  const { only } = args.flags;
  const rows: Report['rows'] = [];
  let programMs = 0;
  let reparteeMs = 0;
  for (const script of scripts.filter(({ name }) => only === undefined || name === only)) {
    const theirs: Timing[] = [];
    const ours: Timing[] = [];
    for (let round = 0; round < rounds; round++) {
      theirs.push(await inFolder(script, byPrompts));
      ours.push(await inFolder(script, byTheLibrary));
    }
    programMs += wholeMs(theirs);
    reparteeMs += wholeMs(ours);
    rows.push({
      program: script.name,
      exchanges: script.lines.length,
      'program ms': wholeMs(theirs),
      'repartee ms': wholeMs(ours),
      ratio: wholeMs(ours) / wholeMs(theirs),
      'an exchange, program ms': exchangeMs(theirs),
      'repartee ms more': exchangeMs(ours) - exchangeMs(theirs),
    });
  }
  // Of the whole: where an exchange takes the program a millisecond, nobody who asks can be as fast.
  const ratio = reparteeMs / programMs;
  rows.push({ program: 'all', 'program ms': programMs, 'repartee ms': reparteeMs, ratio });
  return {
    question: 'How much longer does a conversation take than the program itself?',
    rows,
    claims: [
      { claim: `the ratio of all, ${ratio.toFixed(2)}, is at most 1.15`, holds: ratio <= 1.15 },
    ],
  };
};

/** Milliseconds, of the start and then of each exchange. */
type Timing = readonly number[];

const wholeMs = (timings: readonly Timing[]) =>
  median(timings.map((timing) => timing.reduce((sum, ms) => sum + ms)));
const exchangeMs = (timings: readonly Timing[]) =>
  median(timings.flatMap((timing) => timing.slice(1)));

type Env = Readonly<Record<string, string>>;
type Drive = (script: Script, folder: string, env: Env) => Promise<Timing>;

const inFolder = async (script: Script, drive: Drive): Promise<Timing> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  const scene = script.scene === undefined ? NOTHING : await scenes[script.scene]!(folder);
  const env = { PATH, HOME: folder, TERM: 'xterm-256color', LANG: 'C.UTF-8', PAGER: 'cat' };
  try {
    if (script.before !== undefined)
      await runProgram('sh', ['-c', script.before], { cwd: folder, env });
    return await drive(script, folder, { ...env, ...scene.env });
  } finally {
    await scene.strike();
    rmSync(folder, { recursive: true, force: true });
  }
};

const byTheLibrary: Drive = async ({ command, lines, name }, cwd, env) => {
  await using sessions = new LocalSessions();
  const timing: number[] = [];
  const timed = async (what: string, result: Promise<{ timedOut?: boolean; session: string }>) => {
    const started = performance.now();
    const { timedOut, session } = await result;
    timing.push(performance.now() - started);
    if (timedOut) throw new Error(`${name} did not answer ${what}`);
    return session;
  };
  const session = await timed('at all', sessions.open({ command, cwd, env }));
  for (const text of lines)
    await timed(text, sessions.send(session, { text, timeoutMs: LIMIT_MS }));
  return timing;
};

const byPrompts: Drive = async ({ command, lines, prompt, name }, cwd, env) => {
  const timing: number[] = [];
  let output = '';
  let check = () => {};
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString('latin1');
    check();
  };
  let started = performance.now();
  const [program = '', ...args] = command;
  const pty = await openPty({ program, args, cwd, env, cols: 120, rows: 40, onOutput });
  let hasExited = false;
  void pty.exited.then(() => {
    hasExited = true;
    check();
  });
  const prompted = (what: string) =>
    new Promise<void>((resolve, reject) => {
      const complaint = new Error(`${name}: no prompt after ${what}`);
      const limit = setTimeout(() => reject(complaint), LIMIT_MS);
      check = () => {
        if (!hasExited && !output.endsWith(prompt)) return;
        timing.push(performance.now() - started);
        clearTimeout(limit);
        check = () => {};
        resolve();
      };
      check();
    });
  await prompted('the start');
  for (const line of lines) {
    output = '';
    started = performance.now();
    const answered = prompted(line);
    await pty.write(`${line}\r`);
    await answered;
  }
  await pty.close();
  return timing;
};
