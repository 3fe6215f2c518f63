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
import { type GuardedDaemon, PROGRAMS } from './guarded-daemon.ts';
import type { HostileCase } from './hostile-case.ts';

/** As long as a quick caller needs to read an answer and to type. */
const THINKING_MS = 5;
const READING_PAUSE_MS = 50;
const RESIZE_PAUSE_MS = 30;
const HANG_MS = 60_000;
const VIEWS = ['screen', 'text', 'diff', 'raw'] as const;

export interface TrialResult {
  name: string;
  kind: string;
  /** How long each exchange of the honest session took. */
  exchangesMs: number[];
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
    const { session } = await honest.open({ command: ['python3', '-q'], name: 'honest' });
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
    const opening = this.#hostile.open({ command, name, cols, rows, timeoutMs: 1 });
    const untilMs = performance.now() + forMs;
    const [exchangesMs] = await Promise.all([
      this.#converse(untilMs, problems),
      opening.then(() => this.#read(name, untilMs)),
      opening.then(() => this.#resize(name, hostile.resizes ?? [], untilMs)),
    ]);
    const closeMs = await this.#close(name, hostile, problems);
    const peakMegabytes = this.daemon.peakMegabytes();
    return {
      name: hostile.name,
      kind: hostile.kind,
      exchangesMs,
      closeMs,
      peakMegabytes,
      problems,
    };
  }

  /** At least one exchange, however long it takes. */
  async #converse(untilMs: number, problems: string[]): Promise<number[]> {
    const times: number[] = [];
    do {
      const n = 1000 + this.#count++;
      const startMs = performance.now();
      const answer = await this.#honest.send(this.#session, { text: `${n}+1`, timeoutMs: HANG_MS });
      times.push(performance.now() - startMs);
      if (answer.output !== `${n + 1}`)
        problems.push(`${n}+1 was answered by ${JSON.stringify(answer.output)}`);
      await delay(THINKING_MS);
    } while (performance.now() < untilMs);
    return times;
  }

  async #read(name: string, untilMs: number): Promise<void> {
    for (let at = 0; performance.now() < untilMs; at++) {
      await this.#hostile.read(name, { view: VIEWS[at % VIEWS.length]! });
      await delay(READING_PAUSE_MS);
    }
  }

  async #resize(name: string, sizes: NonNullable<HostileCase['resizes']>, untilMs: number) {
    for (let at = 0; sizes.length > 0 && performance.now() < untilMs; at++) {
      const { cols, rows } = sizes[at % sizes.length]!;
      await this.#hostile.resize(name, cols, rows);
      await delay(RESIZE_PAUSE_MS);
    }
  }

  /** Without force, what has left the session is named; with force, nothing is left. */
  async #close(name: string, { isRestless }: HostileCase, problems: string[]): Promise<number> {
    const startMs = performance.now();
    const first = isRestless ? undefined : await this.#hostile.close(name);
    const firstMs = performance.now() - startMs;
    if (first !== undefined) {
      const named = first.survivors.map(({ pid }) => pid);
      const unnamed = this.#others().filter(({ pid }) => !named.includes(pid));
      if (unnamed.length > 0) problems.push(`left and not named: ${describe(unnamed)}`);
    }
    if (first?.survivors.length === 0) return firstMs;
    const forcedMs = performance.now();
    const { survivors } = await this.#hostile.close(name, { force: true });
    const left = this.#others();
    if (left.length > 0)
      problems.push(`left after force: ${describe(left)}; named: ${describe(survivors)}`);
    return Math.max(firstMs, performance.now() - forcedMs);
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

const commandOf = ({ start, repeated, program, shell }: HostileCase, folder: string): string[] => {
  if (shell !== undefined) return ['/bin/sh', '-c', shell];
  if (program !== undefined) return ['python3', join(PROGRAMS, program[0]), ...program.slice(1)];
  mkdirSync(folder, { recursive: true });
  const files = [start, repeated].map((bytes, at) => {
    const path = join(folder, String(at));
    writeFileSync(path, bytes ?? '');
    return path;
  });
  return ['python3', join(PROGRAMS, 'print.py'), ...files];
};
