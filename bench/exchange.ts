/**
 * Type, read the answer, know that it is complete: how long does that take, and is it ever wrong?
 *
 * Beside it pexpect, which is told the prompt, and the fixed waits that others use. Those need no
 * run of their own: the time each program needed is measured, and a fixed wait is too long or too
 * short by arithmetic.
 */
import { spawnSync } from 'node:child_process';
import { tmpdir } from 'node:os';
import { Talk } from '../conversations/talk.ts';
import { rawViewFrom } from '../src/views/raw.ts';
import { type Args, median, numberFlag, quantile, type Report } from './report.ts';

interface Partner {
  name: string;
  program: string;
  args: readonly string[];
  /** What is typed the nth time, and what must have come back. */
  says(n: number): string;
  answers(n: number): string;
  /** For pexpect; absent where it has nothing to look for. */
  prompt?: string;
}

const readerThread = `
import threading
def answer():
    while True: print("got", int(input()) + 1, flush=True)
threading.Thread(target=answer).start()
`;
/** Answers after a time that differs from line to line: what fixed waits are made for. */
const slowAnswer = `
import time
while True:
    n = int(input("? "))
    time.sleep((n * 37 % 100) / 100 * 1.2)
    print("got", n + 1)
`;

const partners: readonly Partner[] = [
  {
    name: 'bash',
    program: 'bash',
    args: ['--norc'],
    says: (n) => `echo $((${n}+1))\r`,
    answers: (n) => `${n + 1}`,
    prompt: '$ ',
  },
  {
    name: 'python3',
    program: 'python3',
    args: ['-q'],
    says: (n) => `${n}+1\r`,
    answers: (n) => `${n + 1}`,
    prompt: '>>> ',
  },
  {
    name: 'node',
    program: process.execPath,
    args: [],
    says: (n) => `${n}+1\r`,
    answers: (n) => `${n + 1}`,
    prompt: '> ',
  },
  {
    name: 'sqlite3',
    program: 'sqlite3',
    args: [],
    says: (n) => `select ${n}+1;\r`,
    answers: (n) => `${n + 1}`,
    prompt: 'sqlite> ',
  },
  {
    name: 'gdb',
    program: 'gdb',
    args: ['-q', '-nx'],
    says: (n) => `print ${n}+1\r`,
    answers: (n) => `= ${n + 1}`,
    prompt: '(gdb) ',
  },
  {
    name: 'cat',
    program: 'cat',
    args: [],
    says: (n) => `x${n}\r`,
    answers: (n) => `x${n}\r\nx${n}\r\n`,
  },
  {
    name: 'a reader thread',
    program: 'python3',
    args: ['-c', readerThread],
    says: (n) => `${n}\r`,
    answers: (n) => `got ${n + 1}`,
  },
  {
    name: '^C in python3',
    program: 'python3',
    args: ['-q'],
    says: () => '\u0003',
    answers: () => 'KeyboardInterrupt',
  },
];

const env = {
  PATH: '/usr/bin:/bin',
  TERM: 'xterm-256color',
  LANG: 'C.UTF-8',
  PS1: '$ ',
  HOME: tmpdir(),
};
const LIMIT_MS = 5000;

export const run = async (args: Args): Promise<Report> => {
  const runs = numberFlag(args, 'runs', 1000);
  const rows: Report['rows'] = [];
  const times: number[] = [];
  let early = 0;
  let late = 0;
  let slowest = 0;
  for (const partner of partners) {
    const result = await converse(partner, runs);
    const theirs = partner.prompt === undefined ? undefined : pexpect(partner, Math.min(runs, 300));
    rows.push({
      program: partner.name,
      exchanges: runs,
      'median ms': median(result.times),
      'p99 ms': quantile(result.times, 0.99),
      early: result.early,
      'time-outs': result.late,
      ...(theirs !== undefined && { 'pexpect median ms': theirs }),
    });
    times.push(...result.times);
    slowest = Math.max(slowest, median(result.times));
    early += result.early;
    late += result.late;
  }
  const slow: Partner = {
    name: 'slow answers',
    program: 'python3',
    args: ['-c', slowAnswer],
    says: (n) => `${n}\r`,
    answers: (n) => `got ${n + 1}`,
  };
  const slowTimes = (await converse(slow, numberFlag(args, 'slow', 50))).times;
  for (const waitMs of [100, 250, 1000]) {
    rows.push({
      program: `fixed wait ${waitMs} ms, the exchanges above`,
      ...fixedWait(times, waitMs),
    });
    rows.push({
      program: `fixed wait ${waitMs} ms, answers of 0 to 1.2 s`,
      ...fixedWait(slowTimes, waitMs),
    });
  }
  return {
    question: 'How long from typing to the verdict, and is it ever wrong?',
    rows,
    claims: [
      {
        claim: `the slowest median, ${slowest.toFixed(2)} ms, is at most 1.5 ms`,
        holds: slowest <= 1.5,
      },
      { claim: 'no verdict came before the answer', holds: early === 0 },
      { claim: 'no exchange timed out', holds: late === 0 },
    ],
  };
};

const fixedWait = (times: readonly number[], waitMs: number) => {
  const wasted = times.filter((ms) => ms <= waitMs).reduce((sum, ms) => sum + waitMs - ms, 0);
  return {
    exchanges: times.length,
    'wasted s': wasted / 1000,
    'ended too early': times.filter((ms) => ms > waitMs).length,
  };
};

interface Result {
  times: number[];
  early: number;
  late: number;
}

const converse = async (partner: Partner, runs: number): Promise<Result> => {
  const talk = await Talk.open({ ...partner, cwd: tmpdir(), env });
  await talk.ready(LIMIT_MS);
  const result: Result = { times: [], early: 0, late: 0 };
  for (let n = 1000; n < 1000 + runs; n++) {
    const from = talk.screen.position;
    const started = performance.now();
    const asked = waitingAgain(talk);
    void talk.write(partner.says(n));
    if (!(await asked)) result.late++;
    result.times.push(performance.now() - started);
    const text = rawViewFrom(talk.screen, from).lines.map((line) => line.text);
    if (!stripEscapes(text.join('\n')).includes(partner.answers(n))) result.early++;
  }
  await talk.close();
  return result;
};

/**
 * The first verdict that says it is our turn, whatever its certainty. The watcher asks in a later
 * turn of the event loop: the caller has typed by then.
 */
const waitingAgain = (talk: Talk): Promise<boolean> =>
  new Promise((resolve) => {
    const limit = setTimeout(() => {
      stop();
      resolve(false);
    }, LIMIT_MS);
    const stop = talk.watcher.watch((verdict) => {
      if (verdict.state !== 'waiting') return;
      stop();
      clearTimeout(limit);
      resolve(true);
    });
  });

const stripEscapes = (text: string) => text.replace(/\x1b\[[?0-9;]*[a-zA-Z]/g, '');

const pexpectScript = `
import json, pexpect, statistics, sys, time
job = json.load(sys.stdin)
child = pexpect.spawn(job["program"], job["args"], env=job["env"], cwd="/", encoding="utf-8")
child.delaybeforesend = None
child.expect_exact(job["prompt"])
times = []
for line in job["lines"]:
    start = time.perf_counter()
    child.send(line)
    child.expect_exact(job["answer"] if "answer" in job else job["prompt"])
    times.append((time.perf_counter() - start) * 1000)
print(statistics.median(times))
`;

const pexpect = (partner: Partner, runs: number): number | undefined => {
  const lines = Array.from({ length: runs }, (_, at) => partner.says(1000 + at));
  const input = JSON.stringify({ ...partner, env, lines });
  const { stdout } = spawnSync('/usr/bin/python3', ['-c', pexpectScript], {
    input,
    timeout: 60_000,
  });
  const ms = Number.parseFloat(stdout.toString());
  return Number.isNaN(ms) ? undefined : ms;
};
