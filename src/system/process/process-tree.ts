/**
 * Which processes there are, and who has started whom.
 *
 * A process may end between any two questions, so "not there" is an ordinary answer everywhere here,
 * never an error.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProcReader, realProc } from '../proc/proc.ts';
import { allPids, childPidsOf, threadIdsOf } from '../proc/process-info.ts';
import { isProcessDead, type ProcessStat, readProcessStat } from '../proc/process-stat.ts';

/** The process and all it has started that still have a living parent in between. */
export const processWithDescendants = (pid: number, proc: ProcReader = realProc): ProcessStat[] => {
  const found: ProcessStat[] = [];
  const pids = [pid];
  // The list grows while it is walked: each process is asked once, parents before children.
  for (const next of pids) {
    const stat = readProcessStat(next, proc);
    if (stat === undefined) continue;
    found.push(stat);
    for (const thread of threadIdsOf(stat, proc)) pids.push(...childPidsOf(next, thread, proc));
  }
  return found;
};

export const descendantPids = (pid: number, proc: ProcReader = realProc): number[] =>
  processWithDescendants(pid, proc).map((stat) => stat.pid);

/** How many processes one turn of the event loop reads: about 2 ms of work. */
const SCAN_PER_TURN = 128;

let nextScan: Promise<ProcessStat[]> | undefined;

/**
 * Every process of the machine. Callers that ask before a scan has begun share it: closing a thousand
 * sessions at once scans a few times, not a thousand.
 */
export const allProcesses = (): Promise<ProcessStat[]> => {
  nextScan ??= scan();
  return nextScan;
};

const scan = async (): Promise<ProcessStat[]> => {
  await nextTurn();
  nextScan = undefined;
  const pids = allPids();
  const found: ProcessStat[] = [];
  for (let at = 0; at < pids.length; at += SCAN_PER_TURN) {
    if (at > 0) await nextTurn();
    for (const pid of pids.slice(at, at + SCAN_PER_TURN)) {
      const stat = readProcessStat(pid);
      if (stat) found.push(stat);
    }
  }
  return found;
};

export const processesOfSession = async (session: number): Promise<ProcessStat[]> =>
  (await allProcesses()).filter((stat) => stat.session === session && !isProcessDead(stat));
