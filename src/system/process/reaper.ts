/**
 * Learns how processes end.
 *
 * Only the pids it was given are waited for, so that children of `child_process` and of other
 * libraries in this process are left to their own parents' code.
 */
import { isMainThread } from 'node:worker_threads';
import { WNOHANG } from '../constants.ts';
import { isOutOfDescriptors } from '../descriptors.ts';
import { libc } from '../libc.ts';
import { isProcessDead, readProcessStat } from '../proc/process-stat.ts';
import { signalName } from './signals.ts';

/** One of the two; neither where another part of this process reaped it first. */
export interface Exit {
  code?: number;
  signal?: string;
}

/** For processes that are not our children: their end sends us no signal. */
const POLL_MS = 20;
/** A signal listener does not keep Node alive while a caller waits for the end; a timer does. */
const KEEP_ALIVE_MS = 1000;

const watched = new Map<number, (exit: Exit) => void>();
/** Those of them that no caller waits for any more. */
const abandoned = new Set<number>();
let nextPoll: NodeJS.Timeout | undefined;
let keepAlive: NodeJS.Timeout | undefined;

export const onProcessExit = (pid: number, tell: (exit: Exit) => void): void => {
  if (watched.size === 0) {
    if (isMainThread) process.on('SIGCHLD', reap);
    keepAlive = setInterval(reap, KEEP_ALIVE_MS);
  }
  watched.set(pid, tell);
  keepAliveIfAwaited();
  // It may have ended before we knew its pid: then its SIGCHLD is already past.
  check(pid);
};

/** For a process that cannot be killed: its end is still reported, but does not keep Node alive. */
export const stopWaitingForExit = (pid: number): void => {
  if (!watched.has(pid)) return;
  abandoned.add(pid);
  keepAliveIfAwaited();
};

const keepAliveIfAwaited = () => {
  const isAwaited = watched.size > abandoned.size;
  for (const timer of [keepAlive, nextPoll]) isAwaited ? timer?.ref() : timer?.unref();
};

const reap = () => {
  for (const pid of watched.keys()) check(pid);
};

const check = (pid: number) => {
  const status = new Int32Array(1);
  const waited = libc().waitpid(pid, status, WNOHANG);
  if (waited === pid) settle(pid, decode(status[0]!));
  else if (waited === 0) {
    // Node delivers no signals to worker threads.
    if (!isMainThread) poll();
  } else if (isThere(pid)) poll();
  else settle(pid, {});
};

/** Not our child: it was handed to us with its terminal, or another library reaps it. */
const isThere = (pid: number) => {
  try {
    const stat = readProcessStat(pid);
    return stat !== undefined && !isProcessDead(stat);
  } catch (error) {
    // Without a descriptor to look with, it is asked again.
    if (isOutOfDescriptors(error)) return true;
    throw error;
  }
};

const poll = () => {
  if (nextPoll !== undefined) return;
  nextPoll = setTimeout(() => {
    nextPoll = undefined;
    reap();
  }, POLL_MS);
  keepAliveIfAwaited();
};

const settle = (pid: number, exit: Exit) => {
  const tell = watched.get(pid);
  watched.delete(pid);
  abandoned.delete(pid);
  if (watched.size === 0) {
    process.off('SIGCHLD', reap);
    clearInterval(keepAlive);
  }
  keepAliveIfAwaited();
  tell?.(exit);
};

/** The bits of wait(2)'s status: a signal in the low seven, else the code in the next eight. */
const decode = (status: number): Exit => {
  const signal = status & 0x7f;
  return signal === 0 ? { code: (status >> 8) & 0xff } : { signal: signalName(signal) };
};
