/** What this machine's kernel shows, and to whom. */
import { readFileSync } from 'node:fs';

/** Undefined where there are no pseudo-terminals. */
export const ptyUsage = (): { used: number; max: number } | undefined => {
  const [used, max] = ['nr', 'max'].map((name) => textOf(`/proc/sys/kernel/pty/${name}`));
  return used === undefined || max === undefined
    ? undefined
    : { used: Number(used), max: Number(max) };
};

/** Whether the children of a process can be listed, by which all else is found. */
export const canListChildren = (): boolean =>
  textOf(`/proc/${process.pid}/task/${process.pid}/children`) !== undefined;

/** Process 1 is not ours. */
export const canSeeOtherUsers = (): boolean => textOf('/proc/1/stat') !== undefined;

/** The call in which this very process is: reading this file. Undefined where calls are hidden. */
export const ownBlockingCallText = (): string | undefined => textOf('/proc/self/syscall');

/** See Documentation/admin-guide/LSM/Yama.rst. Undefined without Yama. */
export const readPtraceScope = (): string | undefined =>
  textOf('/proc/sys/kernel/yama/ptrace_scope')?.trim();

export const canCountSwitches = (): boolean => textOf('/proc/self/schedstat') !== undefined;

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
};
