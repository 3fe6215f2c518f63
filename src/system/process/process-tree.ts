/**
 * Who is there: processes and their kinship, read from /proc.
 *
 * A process may end between any two reads, so "not there" is an ordinary answer everywhere here,
 * never an error.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { type Proc, realProc } from '../kernel/proc.ts';

/** Fields of /proc/PID/stat. See proc_pid_stat(5). */
export interface ProcessStat {
  pid: number;
  name: string;
  /** R running, S sleeping, D disk sleep, T stopped, t traced, Z zombie, … */
  state: string;
  parent: number;
  processGroup: number;
  session: number;
  /** Device number of the controlling terminal, 0 without one. */
  terminal: number;
  /** Foreground process group of the controlling terminal, -1 without one. */
  foregroundGroup: number;
  threads: number;
  /** In clock ticks since boot; with the pid it identifies a process for good. */
  startTime: number;
}

export function parseStat(stat: string): ProcessStat {
  // The second field is the program's name in parentheses, and a name may contain ") " itself, so
  // fields are counted from the last parenthesis.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  return {
    pid: Number.parseInt(stat, 10),
    name: stat.slice(stat.indexOf('(') + 1, nameEnd),
    state: fields[0]!,
    parent: Number(fields[1]),
    processGroup: Number(fields[2]),
    session: Number(fields[3]),
    terminal: Number(fields[4]),
    foregroundGroup: Number(fields[5]),
    threads: Number(fields[17]),
    startTime: Number(fields[19]),
  };
}

/** The state alone: there are many threads, and of most nothing else is asked. */
export const parseState = (stat: string): string => stat.charAt(stat.lastIndexOf(')') + 2);

export const readStat = (pid: number, proc: Proc = realProc): ProcessStat | undefined => {
  const text = proc.read(`/proc/${pid}/stat`);
  return text.missing ? undefined : parseStat(text.value);
};

/** The process and all it has started that still have a living parent in between. */
export const withDescendants = (pid: number, proc: Proc = realProc): ProcessStat[] => {
  const found: ProcessStat[] = [];
  const pids = [pid];
  // The list grows while it is walked: each process is asked once, parents before children.
  for (const next of pids) {
    const stat = readStat(next, proc);
    if (stat === undefined) continue;
    found.push(stat);
    for (const thread of threadsOf(stat, proc)) pids.push(...childrenOf(next, thread, proc));
  }
  return found;
};

export const descendantPids = (pid: number, proc: Proc = realProc): number[] =>
  withDescendants(pid, proc).map((stat) => stat.pid);

/** Most processes have one: to list it would take as long as all else that is asked of them. */
export const threadsOf = ({ pid, threads }: ProcessStat, proc: Proc): readonly string[] => {
  if (threads === 1) return [`${pid}`];
  const listed = proc.list(`/proc/${pid}/task`);
  return listed.missing ? [] : listed.value;
};

const childrenOf = (pid: number, thread: string, proc: Proc): number[] => {
  const children = proc.read(`/proc/${pid}/task/${thread}/children`);
  return children.missing ? [] : children.value.split(' ').filter(Boolean).map(Number);
};

export const allPids = (proc: Proc = realProc): number[] => {
  const entries = proc.list('/proc');
  return entries.missing ? [] : entries.value.filter((entry) => /^\d+$/.test(entry)).map(Number);
};

/** How many processes one turn of the event loop reads: about 2 ms of work. */
const SCAN_PER_TURN = 128;

let nextScan: Promise<ProcessStat[]> | undefined;

/**
 * Every process of the machine. Whoever asks before a scan has begun shares it: closing a thousand
 * sessions at once reads /proc a few times, not a thousand.
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
      const stat = readStat(pid);
      if (stat) found.push(stat);
    }
  }
  return found;
};

/**
 * A zombie holds nothing any more, and only its parent can make it go. One with threads is none: its
 * first thread has ended, the others run on.
 */
export const isDead = ({ state, threads }: ProcessStat): boolean => state === 'Z' && threads <= 1;

export const sessionMembers = async (session: number): Promise<ProcessStat[]> =>
  (await allProcesses()).filter((stat) => stat.session === session && !isDead(stat));
