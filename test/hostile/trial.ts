/** Runs a hostile session beside an honest one in the same daemon, and sees how the honest one fares. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import {
  isProcessDead,
  type ProcessStat,
  readProcessStat,
} from '../../src/system/proc/process-stat.ts';
import { processWithDescendants } from '../../src/system/process/process-tree.ts';
import { signalProcess } from '../../src/system/process/signal-process.ts';
import { type GuardedDaemon, PROGRAMS } from './guarded-daemon.ts';
import type { HostileCase } from './hostile-case.ts';

/** As long as a quick caller needs to read an answer and to type. */
const THINKING_MS = 5;
const READING_PAUSE_MS = 50;
const RESIZE_PAUSE_MS = 30;
const HANG_MS = 60_000;
const VIEWS = ['screen', 'text', 'diff', 'raw'] as const;

/** Some programs print nothing. */
const BEGIN_MS = 500;
/** Debian's own programs before a version manager's shims, which are slow shell scripts. */
const env = { PATH: `/usr/bin:/bin:${process.env.PATH}` };

/** Begins when the hostile program does. */
class TrialTime {
  #endMs = Number.POSITIVE_INFINITY;

  begin(forMs: number): void {
    this.#endMs = performance.now() + forMs;
  }

  get isUp(): boolean {
    return performance.now() > this.#endMs;
  }
}

export interface TrialResult {
  name: string;
  kind: string;
  /** How long each exchange of the honest session took. */
  exchangesMs: number[];
  /** How long each read of the hostile session itself took. */
  readsMs: number[];
  closeMs: number;
  peakMegabytes: number;
  /** What was wrong, in sentences. */
  problems: string[];
}

/** One daemon, one honest session in it, and a client for each side. */
export class Arena {
  readonly daemon: GuardedDaemon;
  readonly #honest: DaemonSessions;
  readonly #hostile: DaemonSessions;
  readonly #session: string;
  /** The processes of the honest session. */
  readonly #ours: readonly number[];
  #count = 0;

  static async open(daemon: GuardedDaemon): Promise<Arena> {
    const [honest, hostile] = [await daemon.connect(), await daemon.connect()];
    const { session } = await honest.open({ command: ['python3', '-q'], env, name: 'honest' });
    const ours = programsBelow(daemon.pid).map(({ pid }) => pid);
    return new Arena(daemon, honest, hostile, { session, ours });
  }

  private constructor(
    daemon: GuardedDaemon,
    honest: DaemonSessions,
    hostile: DaemonSessions,
    { session, ours }: { session: string; ours: readonly number[] },
  ) {
    this.daemon = daemon;
    this.#honest = honest;
    this.#hostile = hostile;
    this.#session = session;
    this.#ours = ours;
  }

  async end(): Promise<void> {
    for (const client of [this.#honest, this.#hostile]) await client[Symbol.asyncDispose]();
    await this.daemon.end();
  }

  /** For so long the hostile session goes on. */
  async try(hostile: HostileCase, forMs: number): Promise<TrialResult> {
    const name = `hostile-${this.#count++}`;
    const problems: string[] = [];
    const { cols, rows } = hostile.size ?? { cols: 80, rows: 24 };
    this.daemon.peakMegabytes();
    const command = commandOf(hostile, join(this.daemon.folder, name));
    const time = new TrialTime();
    const beginning = this.#hostile
      .open({ command, env, name, cols, rows, timeoutMs: 1 })
      .then(() => this.#hostile.wait({ sessions: [name], until: 'output', timeoutMs: BEGIN_MS }))
      .finally(() => time.begin(forMs));
    const [exchangesMs, readsMs] = await Promise.all([
      this.#converse(time, problems),
      beginning.then(() => this.#read(name, time)),
      beginning.then(() => this.#resize(name, hostile.resizes ?? [], time)),
    ]);
    const closeMs = await this.#close(name, hostile.isForced === true, problems);
    const peakMegabytes = this.daemon.peakMegabytes();
    return {
      name: hostile.name,
      kind: hostile.kind,
      exchangesMs,
      readsMs,
      closeMs,
      peakMegabytes,
      problems,
    };
  }

  /** At least one exchange, however long it takes. */
  async #converse(time: TrialTime, problems: string[]): Promise<number[]> {
    const times: number[] = [];
    do {
      const n = 1000 + this.#count++;
      const startMs = performance.now();
      const answer = await this.#honest.send(this.#session, { text: `${n}+1`, timeoutMs: HANG_MS });
      times.push(performance.now() - startMs);
      if (answer.output !== `${n + 1}`)
        problems.push(`${n}+1 was answered by ${JSON.stringify(answer.output)}`);
      await delay(THINKING_MS);
    } while (!time.isUp);
    return times;
  }

  /** Each view at least once, however long it takes. */
  async #read(name: string, time: TrialTime): Promise<number[]> {
    const times: number[] = [];
    for (let at = 0; at < VIEWS.length || !time.isUp; at++) {
      const startMs = performance.now();
      await this.#hostile.read(name, { view: VIEWS[at % VIEWS.length]! });
      times.push(performance.now() - startMs);
      await delay(READING_PAUSE_MS);
    }
    return times;
  }

  async #resize(name: string, sizes: NonNullable<HostileCase['resizes']>, time: TrialTime) {
    for (let at = 0; sizes.length > 0 && !time.isUp; at++) {
      const { cols, rows } = sizes[at % sizes.length]!;
      await this.#hostile.resize(name, cols, rows);
      await delay(RESIZE_PAUSE_MS);
    }
  }

  /** With force nothing is left. Without, what has left the session is named. */
  async #close(name: string, force: boolean, problems: string[]): Promise<number> {
    const startMs = performance.now();
    const { survivors } = await this.#hostile.close(name, { force });
    const closeMs = performance.now() - startMs;
    const named = force ? [] : survivors.map(({ pid }) => pid);
    const left = this.#others();
    const wrong = left.filter(({ pid }) => !named.includes(pid));
    if (wrong.length > 0)
      problems.push(`left: ${describe(wrong)}; named: ${describe(survivors) || 'none'}`);
    for (const stat of left) signalProcess(stat, 'SIGKILL');
    return closeMs;
  }

  #others(): ProcessStat[] {
    return programsBelow(this.daemon.pid).filter(({ pid }) => !this.#ours.includes(pid));
  }
}

/** What the sessions of a daemon have started: it adopts all orphans, so no process can get away. */
const programsBelow = (daemon: number): ProcessStat[] => {
  const own = readProcessStat(daemon)?.session;
  return processWithDescendants(daemon).filter(
    (stat) => stat.session !== own && !isProcessDead(stat),
  );
};

const describe = (processes: readonly { pid: number; name: string }[]): string =>
  processes.map(({ pid, name }) => `${name} (${pid})`).join(', ');

/** Root starts programs that fork as a user who has no other processes, and may have only so many. */
const THROW_AWAY_USER = '61999';
const MAX_PROCESSES = 200;
const asThrowAwayUser =
  process.getuid?.() === 0
    ? [
        ...['setpriv', '--reuid', THROW_AWAY_USER, '--regid', THROW_AWAY_USER, '--clear-groups'],
        ...['prlimit', `--nproc=${MAX_PROCESSES}`],
      ]
    : [];

const commandOf = ({ start, repeated, program, shell }: HostileCase, folder: string): string[] => {
  if (program !== undefined)
    return [...asThrowAwayUser, 'python3', join(PROGRAMS, program[0]), ...program.slice(1)];
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  if (shell !== undefined) return ['bash', '--rcfile', write('bashrc', shell), '-i'];
  const files = [write('start', start ?? ''), write('repeated', repeated ?? '')];
  return ['python3', join(PROGRAMS, 'print.py'), ...files];
};
