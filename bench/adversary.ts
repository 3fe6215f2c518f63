/**
 * Programs made at random to fool the judge: descriptors × calls × time-outs × threads × children ×
 * namespaces. What is true comes from the log of each program, never from our code.
 *
 * `--minutes 30`, `--at-once 8`, `--seed N`, `--log FILE`: each hundred programs are a line of the log,
 * and a run that was stopped goes on after the last one of the same commit. `--sandbox PROFILE` runs them
 * in a sandbox, where none can make a namespace.
 */
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { SandboxOptions } from '../src/session/confinement.ts';
import { LocalSessions } from '../src/session/local-sessions.ts';
import type { SessionResult } from '../src/session/sessions.ts';
import { seeded } from '../test/helpers/seeded.ts';
import { type Args, numberFlag, type Report } from './report/report.ts';

/** Later than what is due, after 1.2 s, also on a busy machine. */
const WATCHED_MS = 2500;
/** From its note that it is about to read to its reading. */
const SETTLING_MS = 300;
const HANG_MS = 6000;
/** The longest time-out is 6 s, and has to pass twice. */
const LONG_HANG_MS = 15_000;
const MAX_MOMENTS = 2;
const PER_LINE = 100;

const choices = {
  mode: ['cooked', 'raw', 'secret'],
  wait: [
    ...['read', 'readv', 'poll', 'ppoll', 'select', 'pselect', 'epoll', 'epoll2'],
    ...['epoll-epoll', 'poll-epoll'],
  ],
  timeout: ['none', 'none', 'short', 'middle', 'long'],
  extra: [
    ...[
      'none',
      'none',
      'none',
      'eventfd',
      'pipe',
      'socketpair',
      'timer-off',
      'timer-on',
      'signals',
    ],
    ...['inotify', 'listener', 'child-pipe', 'child-eventfd', 'child-socket'],
  ],
  worker: [
    ...['none', 'none', 'none', 'thread-sleeps', 'thread-idle', 'thread-computes', 'timer'],
    ...['shared-memory', 'thread-pipe', 'thread-pipe-idle', 'child-speaks', 'session-speaks'],
    ...['group-speaks', 'orphan-speaks', 'child-ends'],
  ],
  prompt: ['yes', 'yes', 'no'],
  place: ['here', 'here', 'thread', 'child', 'session', 'relay', 'namespace'],
} as const;

type Made = Record<keyof typeof choices, string>;

/** The same number makes the same program. */
const make = (seed: number): Made => {
  const { pick } = seeded(seed);
  return Object.fromEntries(
    Object.entries(choices).map(([name, words]) => [name, pick<string>(words)]),
  ) as Made;
};

const namespace = [
  ...['bwrap', '--bind', '/', '/', '--proc', '/proc', '--dev', '/dev', '--unshare-pid'],
  ...['--unshare-user', '--die-with-parent'],
];

interface Wrong {
  seed: number;
  made: Made;
  what: string;
}

export const run = async (args: Args): Promise<Report> => {
  const log = String(args.flags.log ?? 'docs/internals/adversary-runs.jsonl');
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD']).toString().trim();
  const folder = mkdtempSync(join(tmpdir(), 'repartee-adversary-'));
  const binary = join(folder, 'any');
  execFileSync('gcc', ['-w', '-O1', '-pthread', '-o', binary, 'bench/adversary/any.c', '-lutil']);
  const before = linesOf(log, commit);
  const firstSeed = numberFlag(
    args,
    'seed',
    before.reduce((sum, { programs }) => sum + programs, 0),
  );
  const { sandbox: profile } = args.flags;
  const confined: Setting['confined'] =
    typeof profile === 'string' ? { sandbox: { profile, workspace: folder } } : {};
  const untilMs = performance.now() + numberFlag(args, 'minutes', 30) * 60_000;
  const wrong: Wrong[] = [];
  let tried = 0;
  try {
    for (let seed = firstSeed; performance.now() < untilMs; seed += PER_LINE) {
      const startedMs = performance.now();
      const found = await tryHundred(
        { binary, folder, confined },
        seed,
        numberFlag(args, 'at-once', 8),
      );
      wrong.push(...found);
      tried += PER_LINE;
      const seconds = Math.round((performance.now() - startedMs) / 1000);
      appendFileSync(
        log,
        `${JSON.stringify({ commit, seed, programs: PER_LINE, seconds, wrong: found })}\n`,
      );
      for (const { seed: at, made, what } of found)
        console.error(at, what, ...Object.entries(made).map((pair) => pair.join('=')));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  const earlier = before.reduce((sum, { programs }) => sum + programs, 0);
  const earlierWrong = before.reduce((sum, line) => sum + line.wrong.length, 0);
  return {
    question: 'Is a certain verdict ever wrong, or a program that waits never found?',
    rows: [{ programs: earlier + tried, wrong: earlierWrong + wrong.length }],
    claims: [{ claim: 'none is wrong', holds: earlierWrong + wrong.length === 0 }],
  };
};

interface Line {
  commit: string;
  programs: number;
  wrong: Wrong[];
}

const linesOf = (log: string, commit: string): Line[] =>
  (existsSync(log) ? readFileSync(log, 'utf8') : '')
    .split('\n')
    .filter(Boolean)
    .map((line): Line => JSON.parse(line))
    .filter((line) => line.commit === commit);

interface Setting {
  binary: string;
  folder: string;
  confined: { sandbox?: SandboxOptions };
}

const tryHundred = async (
  setting: Setting,
  firstSeed: number,
  atOnce: number,
): Promise<Wrong[]> => {
  const seeds = Array.from({ length: PER_LINE }, (_, at) => firstSeed + at);
  const wrong: Wrong[] = [];
  const next = async (): Promise<void> => {
    for (let seed = seeds.shift(); seed !== undefined; seed = seeds.shift()) {
      const made = make(seed);
      const what = await tryOne(made, setting, join(setting.folder, `${seed}.log`));
      if (what !== undefined) wrong.push({ seed, made, what });
    }
  };
  await Promise.all(Array.from({ length: atOnce }, next));
  return wrong;
};

/** What is wrong about our verdict, if anything. */
const tryOne = async (
  made: Made,
  { binary, confined }: Setting,
  log: string,
): Promise<string | undefined> => {
  const isInNamespace = made.place === 'namespace';
  if (isInNamespace && confined.sandbox !== undefined) return undefined;
  const sessions = new LocalSessions(confined);
  const options = Object.entries(made).map(([name, value]) => `${name}=${value}`);
  const inNamespace = isInNamespace ? namespace : [];
  const seen: Seen[] = [];
  const hangMs = made.timeout === 'long' ? LONG_HANG_MS : HANG_MS;
  try {
    const command = [...inNamespace, binary, log, ...options];
    await sessions.open({ command, name: 'it', timeoutMs: 1 });
    const startedMs = clockMs();
    while (clockMs() < startedMs + hangMs) {
      const verdict = await sessions.wait({ sessions: ['it'], timeoutMs: 250 });
      if (verdict.state === 'exited') return `it exited: ${verdict.output}`;
      seen.push({ atMs: clockMs(), verdict });
      if (verdict.state === 'waiting' && clockMs() > startedMs + WATCHED_MS) break;
      await delay(20);
    }
    return findMistake(readLog(log), seen, isShown(made));
  } finally {
    await sessions.closeAll({ force: true, graceMs: 0 });
  }
};

interface Seen {
  atMs: number;
  verdict: SessionResult;
}

/**
 * Whether it can be known that it waits: it shows a prompt, or nothing but the terminal can wake it.
 * Without either, nobody knows for what it waits.
 */
const isShown = ({ prompt, extra, worker }: Made): boolean =>
  prompt === 'yes' ||
  (['none', 'eventfd', 'pipe', 'socketpair', 'timer-off', 'signals'].includes(extra) &&
    ['none', 'thread-idle', 'child-ends'].includes(worker));

const clockMs = () => Number(process.hrtime.bigint()) / 1e6;

interface Truth {
  readingMs: number;
  speaksMs: number[];
  /** Something will still make it speak. */
  isPending: boolean;
}

const readLog = (log: string): Truth => {
  const lines = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  const times = (word: string) =>
    lines.filter(([, what]) => what === word).map(([time]) => Number(time));
  const speaksMs = times('speaks');
  return {
    readingMs: times('reading')[0] ?? Number.POSITIVE_INFINITY,
    speaksMs,
    isPending: times('due').length > speaksMs.length,
  };
};

const findMistake = (
  { readingMs, speaksMs, isPending }: Truth,
  seen: readonly Seen[],
  isShown: boolean,
): string | undefined => {
  for (const { atMs, verdict } of seen) {
    if (verdict.certainty !== 'certain' || verdict.state !== 'waiting') continue;
    const told = `waiting (certain), since ${verdict.because}`;
    if (speaksMs.some((ms) => ms > atMs + 5)) return `${told}, but it speaks by itself later`;
    if (atMs < readingMs) return `${told}, but it does not read yet`;
  }
  if (isPending) return undefined;
  const idleMs = Math.max(readingMs, ...speaksMs) + SETTLING_MS;
  const working = seen.filter(({ atMs, verdict }) => atMs > idleMs && isSurelyWorking(verdict));
  // Now and then it wakes from a time-out, and works for a moment.
  if (working.length > MAX_MOMENTS) return 'working (certain), but it waits';
  const last = seen.at(-1)?.verdict;
  return !isShown || last?.state === 'waiting' ? undefined : `not found to wait: ${last?.because}`;
};

const isSurelyWorking = ({ state, certainty }: SessionResult): boolean =>
  state === 'working' && certainty === 'certain';
