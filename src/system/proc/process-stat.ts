/** One line of facts about a process: /proc/PID/stat. See proc_pid_stat(5). */
import { type ProcReader, realProc } from './proc.ts';

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

/** Undefined where there is no such process. */
export const readProcessStat = (
  pid: number,
  proc: ProcReader = realProc,
): ProcessStat | undefined => {
  const text = proc.read(`/proc/${pid}/stat`);
  return text.missing ? undefined : parseProcessStat(text.value);
};

export function parseProcessStat(stat: string): ProcessStat {
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

/** The state alone: there are many threads, and nothing else is asked of most of them. */
export const parseProcessState = (stat: string): string => stat.charAt(stat.lastIndexOf(')') + 2);

/**
 * A zombie holds nothing any more, and only its parent can remove it. One with threads is not dead:
 * its first thread has ended, the others run on.
 */
export const isProcessDead = ({ state, threads }: ProcessStat): boolean =>
  state === 'Z' && threads <= 1;
