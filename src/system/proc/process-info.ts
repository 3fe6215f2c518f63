/** Questions about a process that its stat line does not answer. */
import { type ProcAnswer, type ProcReader, realProc } from './proc.ts';
import type { ProcessStat } from './process-stat.ts';

export const allPids = (proc: ProcReader = realProc): number[] => {
  const entries = proc.list('/proc');
  return entries.missing ? [] : entries.value.filter((entry) => /^\d+$/.test(entry)).map(Number);
};

/** Most processes have one thread: listing it would take as long as all else that is asked of them. */
export const threadIdsOf = ({ pid, threads }: ProcessStat, proc: ProcReader): readonly string[] => {
  if (threads === 1) return [`${pid}`];
  const listed = proc.list(`/proc/${pid}/task`);
  return listed.missing ? [] : listed.value;
};

/** The processes that one thread has started and not lost. */
export const childPidsOf = (pid: number, thread: string, proc: ProcReader): number[] => {
  const children = proc.read(`/proc/${pid}/task/${thread}/children`);
  return children.missing ? [] : children.value.split(' ').filter(Boolean).map(Number);
};

/** Arguments with NUL between them; empty where the process is gone. */
export const commandLineOf = (pid: number): string => {
  const line = realProc.read(`/proc/${pid}/cmdline`);
  return line.missing ? '' : line.value;
};

export const workingFolderOf = (pid: number): string | undefined => {
  const link = realProc.link(`/proc/${pid}/cwd`);
  return link.missing ? undefined : link.value;
};

/** The path of the program that the process runs. */
export const programPathOf = (pid: number | 'self'): string | undefined => {
  const link = realProc.link(`/proc/${pid}/exe`);
  return link.missing ? undefined : link.value;
};

/** A variable of the environment that the process was started with. */
export const environmentVariableOf = (
  pid: number,
  name: string,
): ProcAnswer<string | undefined> => {
  const environment = realProc.read(`/proc/${pid}/environ`);
  if (environment.missing) return environment;
  const entry = environment.value.split('\0').find((text) => text.startsWith(`${name}=`));
  return { value: entry?.slice(name.length + 1) };
};

/** SIGTSTP and SIGTTOU: signals 20 and 22, the first being bit 0. */
const STOP_SIGNALS = (1n << 19n) | (1n << 21n);

/** As only a shell with job control does. */
export const ignoresStopSignals = (pid: number, proc: ProcReader = realProc): boolean => {
  const status = proc.read(`/proc/${pid}/status`);
  const ignored = status.missing ? undefined : /^SigIgn:\s*([0-9a-f]+)/m.exec(status.value)?.[1];
  return ignored !== undefined && (BigInt(`0x${ignored}`) & STOP_SIGNALS) === STOP_SIGNALS;
};
