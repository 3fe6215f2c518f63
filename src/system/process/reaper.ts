/**
 * Finds out when and how processes end.
 *
 * It waits only for the pids that were passed to it. Children that `child_process` or other libraries
 * have started in this process must be reaped by their own code.
 */
import { isMainThread } from 'node:worker_threads';
import { WNOHANG } from '../constants.ts';
import { isOutOfDescriptors } from '../descriptors.ts';
import { libc } from '../libc.ts';
import { isProcessDead, readProcessStat } from '../proc/process-stat.ts';
import { peekExit } from './peek-exit.ts';
import { signalName } from './signals.ts';

/** Has a code or a signal, or neither if the process is not our child or other code has reaped it. */
export interface Exit {
  code?: number;
  signal?: string;
  /** Nobody was left who could be told how: each process that was its parent has been killed. */
  isLost?: true;
}

/** Where it is noted how a process ended, before it is reaped: by us, or by another process. */
export interface ExitNote {
  exit: Exit | undefined;
}

interface Watched {
  onExit(exit: Exit): void;
  note: ExitNote | undefined;
}

/** How often we check processes that are not our children. We get no SIGCHLD when they end. */
const POLL_MS = 20;
/** A signal listener does not keep Node alive while a caller waits for an exit, but a timer does. */
const KEEP_ALIVE_MS = 1000;

/** How long the parent of another process's child has to note how that ended. */
const NOTE_MS = 2000;

const watched = new Map<number, Watched>();
/** The watched pids for which no caller waits any more. */
const abandoned = new Set<number>();
let nextPoll: NodeJS.Timeout | undefined;
let keepAlive: NodeJS.Timeout | undefined;

export const onProcessExit = (pid: number, onExit: (exit: Exit) => void, note?: ExitNote): void => {
  if (watched.size === 0) {
    if (isMainThread) process.on('SIGCHLD', checkAll);
    keepAlive = setInterval(checkAll, KEEP_ALIVE_MS);
  }
  watched.set(pid, { onExit, note });
  keepAliveIfAwaited();
  // The process may have ended before we knew its pid. Then its SIGCHLD has already been delivered.
  check(pid);
};

/** Whether somebody here is told how it ends: then it is reaped here, and nowhere else. */
export const isExitAwaited = (pid: number): boolean => watched.has(pid);

/** For a process that cannot be killed: its exit is still reported, but does not keep Node alive. */
export const stopWaitingForExit = (pid: number): void => {
  if (!watched.has(pid)) return;
  abandoned.add(pid);
  keepAliveIfAwaited();
};

const keepAliveIfAwaited = () => {
  const isAwaited = watched.size > abandoned.size;
  for (const timer of [keepAlive, nextPoll]) isAwaited ? timer?.ref() : timer?.unref();
};

const checkAll = () => {
  for (const pid of watched.keys()) check(pid);
};

const check = (pid: number) => {
  const note = watched.get(pid)?.note;
  const ended = note && peekExit(pid);
  if (ended !== undefined) note!.exit = ended;
  const status = new Int32Array(1);
  const waited = libc().waitpid(pid, status, WNOHANG);
  if (waited === pid) settle(pid, decode(status[0]!));
  else if (waited === 0) {
    // In a worker thread Node delivers no signals.
    if (!isMainThread) poll();
  } else if (isRunning(pid)) poll();
  else if (note === undefined) settle(pid, {});
  else settleAsNoted(pid, note, performance.now() + NOTE_MS);
};

/** Its parent, which is another process, notes it before it is reaped. */
const settleAsNoted = (pid: number, note: ExitNote, deadlineMs: number) => {
  const { exit } = note;
  const isReaped = readProcessStat(pid) === undefined;
  if (exit !== undefined || isReaped || performance.now() > deadlineMs)
    settle(pid, exit ?? { isLost: true });
  else setTimeout(() => settleAsNoted(pid, note, deadlineMs), POLL_MS);
};

/** For a process that is not our child: we adopted its terminal, or another library has reaped it. */
const isRunning = (pid: number) => {
  try {
    const stat = readProcessStat(pid);
    return stat !== undefined && !isProcessDead(stat);
  } catch (error) {
    // We have no free descriptor to read /proc, so we do not know. We check again later.
    if (isOutOfDescriptors(error)) return true;
    throw error;
  }
};

const poll = () => {
  if (nextPoll !== undefined) return;
  nextPoll = setTimeout(() => {
    nextPoll = undefined;
    checkAll();
  }, POLL_MS);
  keepAliveIfAwaited();
};

const settle = (pid: number, exit: Exit) => {
  const onExit = watched.get(pid)?.onExit;
  watched.delete(pid);
  abandoned.delete(pid);
  if (watched.size === 0) {
    process.off('SIGCHLD', checkAll);
    clearInterval(keepAlive);
  }
  keepAliveIfAwaited();
  onExit?.(exit);
};

/** The low seven bits of wait(2)'s status are a signal. If they are 0, the next eight are the code. */
const decode = (status: number): Exit => {
  const signal = status & 0x7f;
  return signal === 0 ? { code: (status >> 8) & 0xff } : { signal: signalName(signal) };
};
