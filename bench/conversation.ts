/**
 * A conversation through the library, beside the time the programs themselves need for it.
 *
 * What they need is measured by a driver that knows each prompt in advance and goes on in the very
 * moment it is printed: nobody who has to find out can be faster. Both take turns in one run.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { scenes } from '../conversations/scenes.ts';
import { openPty } from '../src/pty/pty.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import { type Args, median, numberFlag, type Report } from './report.ts';

interface Script {
  name: string;
  scene?: string;
  command: string;
  /** The prompt after every line. */
  prompt: string;
  lines: readonly string[];
}

const twenty = (line: (at: number) => string) => Array.from({ length: 20 }, (_, at) => line(at));

const countdown = `
#include <stdio.h>
int main(void) { for (int i = 0; i < 1000; i++) { printf("%d\\n", i); fflush(stdout); } return 0; }
`;

const scripts: readonly Script[] = [
  {
    name: 'python3',
    command: 'python3 -q',
    prompt: '>>> ',
    lines: twenty((at) => `sum(i * i for i in range(${200_000 + at}))`),
  },
  {
    name: 'psql',
    scene: 'postgres',
    command: 'psql -X',
    prompt: 'postgres=# ',
    lines: twenty((at) => `SELECT count(*) FROM generate_series(1, ${200_000 + at});`),
  },
  {
    name: 'gdb',
    command: `printf '%s' '${countdown}' > c.c && gcc -g -O0 -o c c.c && exec gdb -q -nx c`,
    prompt: '(gdb) ',
    lines: [
      'set debuginfod enabled off',
      'break main',
      'run',
      ...twenty((at) => (at % 2 === 0 ? 'next' : 'print i')).slice(0, 17),
    ],
  },
  {
    name: 'git add -p',
    scene: 'repository',
    command: `seq 1 2000 > poem.txt && git add . && git commit -qm n && seq 1 2000 | awk 'NR % 100 == 50 { print "changed"; next } { print }' > poem.txt && exec git -c color.ui=false add -p`,
    prompt: '? ',
    lines: twenty(() => 'y'),
  },
];

const env = (folder: string) => ({
  PATH: '/usr/bin:/bin:/usr/sbin',
  HOME: folder,
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  PAGER: 'cat',
});

const LIMIT_MS = 30_000;
const NOTHING = { env: {}, strike: async () => {} };

export const run = async (args: Args): Promise<Report> => {
  const rounds = numberFlag(args, 'rounds', 5);
  const rows: Report['rows'] = [];
  const ratios: number[] = [];
  for (const script of scripts) {
    const times = { ours: [] as number[], theirs: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      times.theirs.push(await inFolder(script, byTheProgram));
      times.ours.push(await inFolder(script, byTheLibrary));
    }
    const ratio = median(times.ours) / median(times.theirs);
    ratios.push(ratio);
    rows.push({
      program: script.name,
      exchanges: script.lines.length,
      'program ms': median(times.theirs),
      'repartee ms': median(times.ours),
      ratio,
    });
  }
  const worst = Math.max(...ratios);
  return {
    question: 'How much longer does a conversation take than the program itself?',
    rows,
    claims: [
      { claim: `the worst ratio, ${worst.toFixed(2)}, is at most 1.15`, holds: worst <= 1.15 },
    ],
  };
};

type Drive = (script: Script, folder: string, env: Record<string, string>) => Promise<void>;

const inFolder = async (script: Script, drive: Drive): Promise<number> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  const scene = script.scene === undefined ? NOTHING : await scenes[script.scene]!(folder);
  try {
    const started = performance.now();
    await drive(script, folder, { ...env(folder), ...scene.env });
    return performance.now() - started;
  } finally {
    await scene.strike();
    rmSync(folder, { recursive: true, force: true });
  }
};

const byTheLibrary: Drive = async ({ command, lines, name }, cwd, env) => {
  await using sessions = new LocalSessions();
  const { session } = await sessions.open({ command: ['sh', '-c', command], cwd, env });
  for (const text of lines) {
    const { timedOut } = await sessions.send(session, { text, timeoutMs: LIMIT_MS });
    if (timedOut) throw new Error(`${name} did not answer ${text}`);
  }
};

const byTheProgram: Drive = async ({ command, lines, prompt, name }, cwd, env) => {
  let output = '';
  let check = () => {};
  const onOutput = (chunk: Buffer) => {
    output += chunk.toString('latin1');
    check();
  };
  const pty = await openPty({
    program: 'sh',
    args: ['-c', command],
    cwd,
    env,
    cols: 120,
    rows: 40,
    onOutput,
  });
  const ended = pty.exited;
  const prompted = (what: string) =>
    new Promise<void>((resolve, reject) => {
      const limit = setTimeout(
        () => reject(new Error(`${name}: no prompt after ${what}`)),
        LIMIT_MS,
      );
      check = () => {
        if (!output.endsWith(prompt)) return;
        clearTimeout(limit);
        check = () => {};
        resolve();
      };
      void ended.then(() => {
        clearTimeout(limit);
        resolve();
      });
      check();
    });
  await prompted('the start');
  for (const line of lines) {
    output = '';
    const answered = prompted(line);
    await pty.write(`${line}\r`);
    await answered;
  }
  await pty.close();
};
