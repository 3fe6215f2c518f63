/** Facts about a process that are not in its stat line. */
import { type ProcAnswer, type ProcReader, realProc } from './proc.ts';
import type { ProcessStat } from './process-stat.ts';

export const allPids = (proc: ProcReader = realProc): number[] => {
  const entries = proc.list('/proc');
  return entries.missing ? [] : entries.value.filter((entry) => /^\d+$/.test(entry)).map(Number);
};

/**
 * Most processes have one thread. We do not list it, because that would take as long as everything
 * else we read about them.
 */
export const threadIdsOf = ({ pid, threads }: ProcessStat, proc: ProcReader): readonly string[] => {
  if (threads === 1) return [`${pid}`];
  const listed = proc.list(`/proc/${pid}/task`);
  return listed.missing ? [] : listed.value;
};

/** The children that one thread has started and that it is still the parent of. */
export const childPidsOf = (pid: number, thread: string, proc: ProcReader): number[] => {
  const children = proc.read(`/proc/${pid}/task/${thread}/children`);
  return children.missing ? [] : children.value.split(' ').filter(Boolean).map(Number);
};

/** Whether the kernel lists the children of a thread (CONFIG_PROC_CHILDREN). */
export const hasChildLists = (): boolean =>
  realProc.read(`/proc/self/task/${process.pid}/children`).missing === undefined;

/** The arguments, separated by NUL. Empty if the process is gone. */
export const commandLineOf = (pid: number): string => {
  const line = realProc.read(`/proc/${pid}/cmdline`);
  return line.missing ? '' : line.value;
};

export const workingFolderOf = (pid: number): string | undefined => {
  const link = realProc.link(`/proc/${pid}/cwd`);
  return link.missing ? undefined : link.value;
};

/** A variable of the environment that the process was started with. */
export const environmentVariableOf = (
  pid: number,
  name: string,
  proc: ProcReader = realProc,
): ProcAnswer<string | undefined> => {
  const environment = proc.read(`/proc/${pid}/environ`);
  if (environment.missing) return environment;
  const entry = environment.value.split('\0').find((text) => text.startsWith(`${name}=`));
  return { value: entry?.slice(name.length + 1) };
};

/** The bits of SIGTSTP (20) and SIGTTOU (22). Signal 1 is bit 0. */
const STOP_SIGNALS = (1n << 19n) | (1n << 21n);

/** Whether a process ignores SIGTSTP and SIGTTOU. Only a shell with job control does. */
export const ignoresStopSignals = (pid: number, proc: ProcReader = realProc): boolean => {
  const status = proc.read(`/proc/${pid}/status`);
  const ignored = status.missing ? undefined : /^SigIgn:\s*([0-9a-f]+)/m.exec(status.value)?.[1];
  return ignored !== undefined && (BigInt(`0x${ignored}`) & STOP_SIGNALS) === STOP_SIGNALS;
};
