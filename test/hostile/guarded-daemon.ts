/** A daemon for hostile programs: in folders of its own, and ended when it takes too much memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonConnection } from '../../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { daemonPaths } from '../../src/daemon/protocol/daemon-paths.ts';
import { isProcessDead, readProcessStat } from '../../src/system/proc/process-stat.ts';

/** From the root of the tree, since a bench is built elsewhere. */
export const PROGRAMS = resolve('test/hostile/programs');

export const MAX_DAEMON_MEGABYTES = 1024;
const END_MS = 5000;
const SAMPLE_MS = 20;

export interface GuardedDaemon {
  pid: number;
  folder: string;
  connect(): Promise<DaemonSessions>;
  isRunning(): boolean;
  /** The most memory that it has had since the last call, in MB. */
  peakMegabytes(): number;
  end(): Promise<void>;
}

export const startGuardedDaemon = async (
  program: string,
  megabytes = MAX_DAEMON_MEGABYTES,
): Promise<GuardedDaemon> => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-hostile-'));
  const env = {
    ...process.env,
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    REPARTEE_SOCKET: '',
  };
  const paths = daemonPaths(env);
  // As the daemon's own folder has it: a bench is built elsewhere.
  const keeper = join(dirname(program), '../../keeper/main.js');
  const connect = () => connectDaemon({ paths, program, keeper, env, idleMs: 60_000 });
  await (await connect())[Symbol.asyncDispose]();
  const connection = (await DaemonConnection.open(paths))!;
  const { pid } = await connection.request('status', {});
  await connection.close();
  const watchdog = await startWatchdog(pid, readProcessStat(pid)!.parent, megabytes);
  const memory = new PeakMemory(pid);
  const isRunning = () => {
    const stat = readProcessStat(pid);
    return stat !== undefined && !isProcessDead(stat);
  };
  return {
    pid,
    folder,
    connect,
    isRunning,
    peakMegabytes: () => memory.take(),
    end: async () => {
      if (isRunning()) process.kill(pid, 'SIGTERM');
      const deadlineMs = performance.now() + END_MS;
      while (isRunning()) {
        if (performance.now() > deadlineMs) process.kill(pid, 'SIGKILL');
        await delay(10);
      }
      memory.stop();
      watchdog.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The most memory that a process has had. */
class PeakMemory {
  readonly #pid: number;
  readonly #timer: NodeJS.Timeout | undefined;
  #peak = 0;

  constructor(pid: number) {
    this.#pid = pid;
    if (this.#forgetPeak()) return;
    // The daemon hides from other users. What it has now can be seen all the same.
    this.#timer = setInterval(() => this.#look('VmRSS'), SAMPLE_MS);
  }

  /** In MB, since it was last asked. */
  take(): number {
    this.#look(this.#timer === undefined ? 'VmHWM' : 'VmRSS');
    const peak = this.#peak;
    this.#peak = 0;
    if (this.#timer === undefined) this.#forgetPeak();
    return peak;
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(field: 'VmHWM' | 'VmRSS'): void {
    const status = readFileSync(`/proc/${this.#pid}/status`, 'utf8');
    const [, kilobytes] = new RegExp(`${field}:\\s+(\\d+)`).exec(status) ?? [];
    this.#peak = Math.max(this.#peak, Math.round(Number(kilobytes) / 1024));
  }

  /** 5 makes the kernel do so: see proc_pid_clear_refs(5). */
  #forgetPeak(): boolean {
    try {
      writeFileSync(`/proc/${this.#pid}/clear_refs`, '5');
      return true;
    } catch {
      return false;
    }
  }
}

const startWatchdog = async (
  pid: number,
  keeper: number,
  megabytes: number,
): Promise<ChildProcess> => {
  const program = join(PROGRAMS, 'watchdog.js');
  const watchdog = spawn(process.execPath, [program, ...[pid, keeper, megabytes].map(String)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((watching) => watchdog.stdout.once('data', watching));
  return watchdog;
};
