/**
 * Stops all processes of a kind, also one that forks itself anew and ends: it would always be gone before
 * a list of all processes is read. The kernel tells the pid it has given last, so each new process can be
 * looked at within microseconds.
 */
import { realProc } from '../proc/proc.ts';
import { allPids, newestPid } from '../proc/process-info.ts';
import { isProcessDead, type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { signalProcess } from './signal-process.ts';

/** A process that forks meanwhile has done so after this, also on a busy machine. */
const STILL_MS = 10;
const MAX_MS = 200;
/** More than this since the last look is not followed one by one, but found by the next list. */
const MAX_NEW_PIDS = 1000;

/** Takes all of this thread's time until they stand still. Returns those that were stopped. */
export const freezeProcesses = (isMember: (stat: ProcessStat) => boolean): ProcessStat[] => {
  const frozen: ProcessStat[] = [];
  const known = new Set<number>([process.pid]);
  const freeze = (pid: number): boolean => {
    if (known.has(pid)) return false;
    const stat = readProcessStat(pid);
    if (stat === undefined || isProcessDead(stat) || !isMember(stat)) return false;
    known.add(pid);
    signalProcess(stat, 'SIGSTOP');
    frozen.push(stat);
    return true;
  };
  const startMs = performance.now();
  let lastNewMs = startMs;
  let newest = newestPidNow();
  for (const pid of allPids()) freeze(pid);
  for (let nowMs = startMs; nowMs < startMs + MAX_MS; nowMs = performance.now()) {
    const before = newest;
    newest = newestPidNow();
    const pids = pidsBetween(before, newest);
    if (pids.filter(freeze).length > 0) lastNewMs = nowMs;
    if (pids.length === 0 && nowMs - lastNewMs > STILL_MS) break;
  }
  return frozen;
};

/** 0 if the kernel does not tell. */
export const newestPidNow = (): number => Number(newestPid(realProc) ?? 0);

/** The pids that were given after the first of these, up to the second, and perhaps others. */
const pidsBetween = (before: number, newest: number): number[] => {
  const count = newest - before;
  if (count < 0 || count > MAX_NEW_PIDS) return allPids();
  return Array.from({ length: count }, (_, at) => before + 1 + at);
};

/** The processes of a kind that were started since this pid was the newest, and that still run. */
export const startedSince = (
  pid: number,
  isMember: (stat: ProcessStat) => boolean,
): ProcessStat[] => {
  const endMs = performance.now() + MAX_MS;
  for (let before = pid; ; ) {
    const newest = newestPidNow();
    const pids = pidsBetween(before, newest);
    const found = pids
      .flatMap((each) => readProcessStat(each) ?? [])
      .filter((stat) => !isProcessDead(stat) && isMember(stat));
    // One that was started last may have ended before it was read, and have started another.
    if (found.length > 0 || pids.length === 0 || performance.now() > endMs) return found;
    before = newest;
  }
};
