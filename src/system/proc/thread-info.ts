/** Questions about one thread: whether it sleeps, in which call, and whether it has run since. */
import type { ProcAnswer, ProcReader } from './proc.ts';
import { parseProcessState } from './process-stat.ts';
import { type BlockingCall, parseSyscall } from './syscalls.ts';

export interface ThreadId {
  pid: number;
  tid: string;
}

const folderOf = ({ pid, tid }: ThreadId) => `/proc/${pid}/task/${tid}`;

/** R, S, D, T, t, Z, X: see ProcessStat. */
export const threadStateOf = (thread: ThreadId, proc: ProcReader): ProcAnswer<string> => {
  const stat = proc.readKept(`${folderOf(thread)}/stat`);
  return stat.missing ? stat : { value: parseProcessState(stat.value) };
};

/** The system call in which the thread is blocked; undefined while it runs or is between calls. */
export const blockingCallOf = (
  thread: ThreadId,
  proc: ProcReader,
): ProcAnswer<BlockingCall | undefined> => {
  const syscall = proc.readKept(`${folderOf(thread)}/syscall`);
  if (syscall.missing) return syscall;
  const call = parseSyscall(syscall.value);
  return { value: call?.name === 'restart_syscall' ? resumed(thread, call, proc) : call };
};

/**
 * After a stop (C-z, then `fg`) a call with a time-out goes on under the name of `restart_syscall`.
 * Its arguments are kept; which of three it is shows only in where the kernel sleeps.
 */
const resumed = (thread: ThreadId, { args }: BlockingCall, proc: ProcReader): BlockingCall => {
  const where = proc.read(`${folderOf(thread)}/wchan`);
  const place = where.missing ? '' : where.value;
  if (place.includes('poll')) return { name: 'poll', args };
  if (place.includes('futex')) return { name: 'futex', args };
  return { name: 'clock_nanosleep', args };
};

/**
 * How often the thread was given a processor: the third number of schedstat, or where the kernel does
 * not count that, how often it gave the processor up.
 */
export const timesScheduled = (thread: ThreadId, proc: ProcReader): string | undefined => {
  const answer = proc.readKept(`${folderOf(thread)}/schedstat`);
  const slices = answer.missing ? '0' : answer.value.trimEnd().split(' ')[2];
  if (slices !== '0') return slices;
  const status = proc.read(`${folderOf(thread)}/status`);
  return status.missing ? undefined : /^voluntary_ctxt_switches:.*$/m.exec(status.value)?.[0];
};
