/** A daemon with a keeper: its processes, and how to restart it. */
import { readFileSync } from 'node:fs';
import { onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../../src/daemon/client/connect.ts';
import { DaemonConnection } from '../../../src/daemon/client/daemon-connection.ts';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import type { DaemonStatus, MethodParams } from '../../../src/daemon/protocol/protocol.ts';
import { DaemonLost } from '../../../src/errors.ts';
import { realProc } from '../../../src/system/proc/proc.ts';
import { childPidsOf } from '../../../src/system/proc/process-info.ts';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { until } from '../until.ts';
import { type OwnDaemon, ownDaemon } from './own-daemon.ts';
import { isAlive } from './processes.ts';

/** If the test fails, the daemon's log is printed. */
export const connectKept = async (
  options: Partial<ConnectOptions> = {},
): Promise<{
  daemon: OwnDaemon;
  connect: () => Promise<DaemonSessions>;
  sessions: DaemonSessions;
}> => {
  const daemon = ownDaemon();
  const connect = () => daemon.connect(options);
  onTestFinished(({ task }) => {
    if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
  });
  return { daemon, connect, sessions: await connect() };
};

export const parentOf = (pid: number): number => readProcessStat(pid)!.parent;

/** The daemon may be replaced while it is asked. */
export const statusOf = async (daemon: OwnDaemon): Promise<DaemonStatus> => {
  let status: DaemonStatus | undefined;
  await until('the daemon answers', async () => {
    try {
      status = await daemon.status();
    } catch (error) {
      if (!(error instanceof DaemonLost)) throw error;
    }
    return status !== undefined;
  });
  return status!;
};

/** Resolves when the next one answers. */
export const killDaemonOf = async (daemon: OwnDaemon): Promise<void> => {
  const { pid } = await statusOf(daemon);
  process.kill(pid, 'SIGKILL');
  await until('the daemon is dead', () => !isAlive(pid));
  await statusOf(daemon);
};

/** Resolves to the processes when the daemon has become a keeper, and its own daemon answers. */
export const killKeeperOf = async (
  daemon: OwnDaemon,
): Promise<{ keeper: number; daemon: number }> => {
  const { pid: keeper } = await statusOf(daemon);
  process.kill(parentOf(keeper), 'SIGKILL');
  let pid = keeper;
  await until('the daemon has become the keeper', async () => {
    ({ pid } = await statusOf(daemon));
    return pid !== keeper;
  });
  return { keeper, daemon: pid };
};

/** Known by its argument, before its program is loaded. */
export const standInsOf = (pid: number): number[] =>
  childPidsOf(pid, String(pid), realProc).filter((child) =>
    readFileSync(`/proc/${child}/cmdline`, 'utf8').includes('standsInAt'),
  );

/** Resolves to its status when it has restarted. */
export const restart = async (
  daemon: OwnDaemon,
  asking: MethodParams<'restart'> = {},
): Promise<DaemonStatus> => {
  const before = await statusOf(daemon);
  await requestRestart(daemon, asking);
  const after = await statusOf(daemon);
  if (after.startedAt === before.startedAt) throw new Error('It did not restart.');
  return after;
};

/** Resolves when it is about to restart. */
export const requestRestart = async (
  daemon: OwnDaemon,
  asking: MethodParams<'restart'> = {},
): Promise<void> => {
  const connection = (await DaemonConnection.open(daemon.paths))!;
  try {
    await connection.request('restart', asking);
  } finally {
    await connection.close();
  }
};

/** What execve could change of a process, as /proc tells it. */
export const processFacts = (pid: number): Record<string, string> => {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const names = ['Umask', 'SigBlk', 'SigIgn', 'SigCgt', 'NoNewPrivs', 'CapEff'];
  const facts = names.map((name) => [
    name,
    new RegExp(`^${name}:\\s*(\\S+)`, 'm').exec(status)![1]!,
  ]);
  const title = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0]!;
  const limits = /^Max file locks.*$/m.exec(readFileSync(`/proc/${pid}/limits`, 'utf8'))![0];
  return { ...Object.fromEntries(facts), title, limits };
};
