/** Programs to converse with, and what each must answer. */
import { tmpdir } from 'node:os';

export interface Partner {
  name: string;
  program: string;
  args: readonly string[];
  /** What is typed the nth time, and what must have come back. */
  says(n: number): string;
  answers(n: number): string;
  /** What pexpect is told to look for after the answer. Absent where nothing follows it. */
  prompt?(n: number): string;
  /** A scene of the conversations. */
  scene?: string;
  /** The most by which its median may be above pexpect's. @default 3 */
  aboveMs?: number;
}

const line = (text: (n: number) => string) => (n: number) => `${text(n)}\r`;
const next = (n: number) => `${n + 1}`;
/** A number that is in no escape sequence, for programs that draw what is typed in colour. */
const LARGE = 40_000;

export const partners: readonly Partner[] = [
  {
    name: 'bash',
    program: 'bash',
    args: ['--norc'],
    says: line((n) => `echo $((${n}+1))`),
    answers: next,
    prompt: () => '$ ',
  },
  {
    name: 'dash',
    program: 'dash',
    args: ['-i'],
    says: line((n) => `echo $((${n}+1))`),
    answers: next,
    prompt: () => '$ ',
  },
  {
    name: 'mksh',
    program: 'mksh',
    args: ['-i'],
    says: line((n) => `echo $((${n}+1))`),
    answers: next,
    prompt: () => '$ ',
  },
  {
    name: 'python3',
    program: '/usr/bin/python3',
    args: ['-q'],
    says: line((n) => `${n}+1`),
    answers: next,
    prompt: () => '>>> ',
  },
  {
    name: 'ipython3',
    program: 'ipython3',
    args: ['--no-banner', '--colors=NoColor', '--HistoryManager.enabled=False'],
    says: line((n) => `${LARGE + n}+1`),
    answers: (n) => next(LARGE + n),
    prompt: (n) => `In [${n + 2}]:`,
  },
  {
    name: 'node',
    program: process.execPath,
    args: [],
    says: line((n) => `${n}+1`),
    answers: (n) => `\n${n + 1}`,
    prompt: () => '> ',
  },
  {
    name: 'irb',
    program: 'irb',
    args: ['-f', '--prompt', 'simple', '--nocolorize', '--noautocomplete'],
    says: line((n) => `${n}+1`),
    answers: (n) => `=> ${n + 1}`,
    prompt: () => '>>',
    // It wakes ten times in a second, and has shown in one tick that it only ticks.
    aboveMs: 105,
  },
  {
    name: 'sqlite3',
    program: 'sqlite3',
    args: [],
    says: line((n) => `select ${n}+1;`),
    answers: next,
    prompt: () => 'sqlite> ',
  },
  {
    name: 'gdb',
    program: 'gdb',
    args: ['-q', '-nx'],
    says: line((n) => `print ${n}+1`),
    answers: (n) => `= ${n + 1}`,
    prompt: () => '(gdb) ',
  },
  {
    name: 'psql',
    program: 'psql',
    args: ['-X', '-q', '-A', '-t', '-P', 'pager=off'],
    says: line((n) => `select ${n}+1;`),
    answers: next,
    prompt: () => '=# ',
    scene: 'postgres',
  },
  {
    name: 'litecli',
    program: 'litecli',
    args: ['--liteclirc', '/dev/null', ':memory:'],
    says: line((n) => `select ${LARGE + n}+1;`),
    answers: (n) => next(LARGE + n),
    prompt: () => '>',
  },
  {
    name: 'vim, a key',
    program: 'vim',
    args: ['-u', 'NONE', '-i', 'NONE', '-n', '-c', 'startinsert'],
    says: (n) => letter(n),
    answers: (n) => letter(n),
  },
  {
    name: 'cat',
    program: 'cat',
    args: [],
    says: line((n) => `x${n}`),
    answers: (n) => `x${n}\r\nx${n}`,
  },
];

const letter = (n: number): string => String.fromCharCode('a'.charCodeAt(0) + (n % 26));

export const env = {
  PATH: '/usr/bin:/bin',
  TERM: 'xterm-256color',
  NODE_DISABLE_COLORS: '1',
  LANG: 'C.UTF-8',
  // With both signs: mksh replaces root's if it has none.
  PS1: '#$ ',
  HOME: tmpdir(),
};
