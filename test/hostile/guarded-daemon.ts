/** A daemon for hostile programs: in folders of its own, and ended when it takes too much memory. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonConnection } from '../../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../../src/daemon/client/daemon-sessions.ts';
import { daemonPaths } from '../../src/daemon/protocol/daemon-paths.ts';
import { isProcessDead, readProcessStat } from '../../src/system/proc/process-stat.ts';

/** From the root of the tree, since a bench is built elsewhere. */
export const PROGRAMS = resolve('test/hostile/programs');

export const MAX_DAEMON_MEGABYTES = 1024;
const END_MS = 5000;

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
  const connect = () => connectDaemon({ paths, program, env, idleMs: 60_000 });
  await (await connect())[Symbol.asyncDispose]();
  const connection = (await DaemonConnection.open(paths))!;
  const { pid } = await connection.request('status', {});
  await connection.close();
  const watchdog = await startWatchdog(pid, megabytes);
  const isRunning = () => {
    const stat = readProcessStat(pid);
    return stat !== undefined && !isProcessDead(stat);
  };
  return {
    pid,
    folder,
    connect,
    isRunning,
    peakMegabytes: () => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      // 5 makes the kernel forget the peak: see proc_pid_clear_refs(5).
      writeFileSync(`/proc/${pid}/clear_refs`, '5');
      return Math.round(Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) / 1024);
    },
    end: async () => {
      if (isRunning()) process.kill(pid, 'SIGTERM');
      const deadlineMs = performance.now() + END_MS;
      while (isRunning()) {
        if (performance.now() > deadlineMs) process.kill(pid, 'SIGKILL');
        await delay(10);
      }
      watchdog.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

const startWatchdog = async (pid: number, megabytes: number): Promise<ChildProcess> => {
  const program = join(PROGRAMS, 'watchdog.js');
  const watchdog = spawn(process.execPath, [program, String(pid), String(megabytes)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  await new Promise((watching) => watchdog.stdout.once('data', watching));
  return watchdog;
};
