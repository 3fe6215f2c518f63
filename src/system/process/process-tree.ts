/**
 * Lists processes: the descendants of one, or all of the machine.
 *
 * A process may end between any two reads of /proc, so a missing process is never an error here.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ProcReader, realProc } from '../proc/proc.ts';
import { allPids, childPidsOf, threadIdsOf } from '../proc/process-info.ts';
import {
  isProcessDead,
  type ProcessStat,
  readProcessStat,
  rereadProcessStat,
} from '../proc/process-stat.ts';

/** The process and its descendants. If a process ends, init adopts its children: they are not found. */
export const processWithDescendants = (pid: number, proc: ProcReader = realProc): ProcessStat[] => {
  const found: ProcessStat[] = [];
  const pids = [pid];
  // The list grows while the loop runs. Each process is read once, parents before children.
  for (const next of pids) {
    const stat = rereadProcessStat(next, proc);
    if (stat === undefined) continue;
    found.push(stat);
    for (const thread of threadIdsOf(stat, proc)) pids.push(...childPidsOf(next, thread, proc));
  }
  return found;
};

export const descendantPids = (pid: number, proc: ProcReader = realProc): number[] =>
  processWithDescendants(pid, proc).map((stat) => stat.pid);

/** How many processes are read in one turn of the event loop. This takes about 2 ms. */
const PROCESSES_PER_TURN = 128;

let nextScan: Promise<ProcessStat[]> | undefined;

/**
 * Every process of the machine. Calls made before a scan has begun share that scan, so closing a
 * thousand sessions at once needs only a few scans.
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
  for (let at = 0; at < pids.length; at += PROCESSES_PER_TURN) {
    if (at > 0) await nextTurn();
    for (const pid of pids.slice(at, at + PROCESSES_PER_TURN)) {
      const stat = readProcessStat(pid);
      if (stat) found.push(stat);
    }
  }
  return found;
};

export const processesOfSession = async (sid: number): Promise<ProcessStat[]> =>
  (await allProcesses()).filter((stat) => stat.session === sid && !isProcessDead(stat));
