/** Parses /proc/PID/stat, a line of facts about a process. See proc_pid_stat(5). */
import { plainText } from '../../plain-text.ts';
import { type ProcReader, realProc } from './proc.ts';

export interface ProcessStat {
  pid: number;
  /** As it may be shown: a program can give itself any name. */
  name: string;
  /** R running, S sleeping, D disk sleep, T stopped, t traced, Z zombie, … */
  state: string;
  parent: number;
  processGroup: number;
  session: number;
  /** The device number of the controlling terminal. 0 if the process has none. */
  terminal: number;
  /** The foreground process group of the controlling terminal. -1 if the process has none. */
  foregroundGroup: number;
  threads: number;
  /** In clock ticks since boot. Together with the pid it identifies a process for ever. */
  startTime: number;
  /** The signals below 32 that it ignores, and those for which it has a handler: signal 1 is bit 0. */
  ignored: number;
  caught: number;
}

/** Whether both are about the same process, perhaps at different times. */
export const isSame = (a: ProcessStat, b: ProcessStat): boolean =>
  a.pid === b.pid && a.startTime === b.startTime;

/** Undefined if there is no such process. */
export const readProcessStat = (
  pid: number,
  proc: ProcReader = realProc,
): ProcessStat | undefined => {
  const text = proc.read(`/proc/${pid}/stat`);
  return text.missing ? undefined : parseProcessStat(text.value);
};

/** The same of a process that will soon be asked about again. Undefined, too, if it is older than `since`. */
export const rereadProcessStat = (
  pid: number,
  proc: ProcReader,
  since = 0,
): ProcessStat | undefined => {
  const text = proc.readKept(`/proc/${pid}/stat`);
  if (text.missing || (since > 0 && parseThreadStat(text.value).startTime < since))
    return undefined;
  return parseProcessStat(text.value);
};

/** Counted from the state, which is 0. */
const START_TIME_FIELD = 19;

export function parseProcessStat(stat: string): ProcessStat {
  // The second field is the program's name in parentheses, and a name may contain ") " itself, so
  // fields are counted from the last parenthesis.
  const nameEnd = stat.lastIndexOf(')');
  const fields = stat.slice(nameEnd + 2).split(' ');
  return {
    pid: Number.parseInt(stat, 10),
    name: shownName(stat.slice(stat.indexOf('(') + 1, nameEnd)),
    state: fields[0]!,
    parent: Number(fields[1]),
    processGroup: Number(fields[2]),
    session: Number(fields[3]),
    terminal: Number(fields[4]),
    foregroundGroup: Number(fields[5]),
    threads: Number(fields[17]),
    startTime: Number(fields[START_TIME_FIELD]),
    ignored: Number(fields[30]),
    caught: Number(fields[31]),
  };
}

/** /proc is read byte by byte; a name may be any bytes. */
const shownName = (name: string): string =>
  /^[ -~]*$/.test(name) ? name : plainText(Buffer.from(name, 'latin1').toString());

/** Whether a signal or a debugger has stopped it. False if there is no such process. */
export const isProcessStopped = (pid: number, proc: ProcReader = realProc): boolean =>
  'Tt'.includes(readProcessStat(pid, proc)?.state ?? '-');

/** What is asked of every thread. There are many, so only that is parsed. */
export const parseThreadStat = (stat: string): Pick<ProcessStat, 'state' | 'startTime'> => {
  const state = stat.lastIndexOf(')') + 2;
  let at = state;
  for (let field = 0; field < START_TIME_FIELD; field++) at = stat.indexOf(' ', at) + 1;
  return { state: stat.charAt(state), startTime: Number.parseInt(stat.slice(at), 10) };
};

/**
 * Whether a process is a zombie: it holds no files or memory any more, and only its parent can remove
 * it. A zombie with several threads is not dead: its first thread has ended, but others still run.
 */
export const isProcessDead = ({ state, threads }: ProcessStat): boolean =>
  state === 'Z' && threads <= 1;
