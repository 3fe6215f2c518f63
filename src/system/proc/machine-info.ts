/** What the kernel of this machine shows to this user. */
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type ProcReader, realProc } from './proc.ts';

/** Undefined if the machine has no pseudo-terminals. */
export const ptyUsage = (): { used: number; max: number } | undefined => {
  const [used, max] = ['nr', 'max'].map((name) => textOf(`/proc/sys/kernel/pty/${name}`));
  return used === undefined || max === undefined
    ? undefined
    : { used: Number(used), max: Number(max) };
};

/** Whether the children of a process can be listed. All other processes are found through this list. */
export const canListChildren = (): boolean =>
  textOf(`/proc/${process.pid}/task/${process.pid}/children`) !== undefined;

/** Process 1 usually belongs to another user. It is visible only if other users' processes are. */
export const canSeeOtherUsers = (): boolean => textOf('/proc/1/stat') !== undefined;

/** The system call of this process, which is the read of this file. Undefined if calls are hidden. */
export const ownBlockingCallText = (): string | undefined => textOf('/proc/self/syscall');

/** Undefined if the kernel lacks Yama. See Documentation/admin-guide/LSM/Yama.rst. */
export const readPtraceScope = (): string | undefined =>
  textOf('/proc/sys/kernel/yama/ptrace_scope')?.trim();

/**
 * Why a program of a daemon that was killed may be hidden from the next one. Yama 1 shows the calls of a
 * process to its ancestors alone, and the keeper has adopted it: the new daemon is its sibling.
 */
export const whyAdoptedHides = (scope = readPtraceScope()): string | undefined =>
  scope === '1' ? 'its calls are hidden since the daemon was killed (ptrace_scope 1)' : undefined;

/** What keeps this user from making user namespaces. Undefined if nothing that the kernel tells of. */
export const whyNoUserNamespaces = (): 'apparmor' | 'debian' | 'none left' | undefined => {
  const isSet = (name: string, value: string) => textOf(`/proc/sys/${name}`)?.trim() === value;
  if (isSet('kernel/apparmor_restrict_unprivileged_userns', '1')) return 'apparmor';
  if (isSet('kernel/unprivileged_userns_clone', '0')) return 'debian';
  return isSet('user/max_user_namespaces', '0') ? 'none left' : undefined;
};

/**
 * Parts of /proc that are the whole machine's, and that root can write or read without its capabilities:
 * what containers cover as well. A program that the kernel starts (core_pattern) would be outside.
 */
export const machineWideProc = (): { readOnly: string[]; hidden: string[] } => {
  const existing = (names: readonly string[]) =>
    names.map((name) => `/proc/${name}`).filter((path) => existsSync(path));
  return {
    readOnly: existing(['bus', 'fs', 'irq', 'sys', 'sysrq-trigger']),
    hidden: existing([
      ...['acpi', 'asound', 'interrupts', 'kcore', 'keys', 'kmsg', 'latency_stats', 'mtrr'],
      ...['sched_debug', 'scsi', 'timer_list', 'timer_stats', 'kallsyms', 'kpagecount'],
    ]),
  };
};

export const canCountSwitches = (): boolean => textOf('/proc/self/schedstat') !== undefined;

/**
 * Whether more threads want to run now, ours among them, than there are processors. One more may be the
 * kernel's own, which passes on what a program has just printed.
 */
export const isMachineBusy = (proc: ProcReader = realProc): boolean => {
  const load = proc.readKept('/proc/loadavg');
  const runnable = load.missing ? undefined : / (\d+)\//.exec(load.value)?.[1];
  return Number(runnable ?? 0) > availableParallelism() + 1;
};

const textOf = (path: string): string | undefined => {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined;
  }
};
