/** Facts about one thread: whether it sleeps, in which call, and how often it has run. */
import { type ProcAnswer, type ProcReader, realProc } from './proc.ts';
import { type BlockingCall, parseSyscall } from './syscalls.ts';

export interface ThreadId {
  pid: number;
  tid: string;
}

const folderOf = ({ pid, tid }: ThreadId) => `/proc/${pid}/task/${tid}`;

/** A line like that of a process. */
export const threadStatOf = (thread: ThreadId, proc: ProcReader): ProcAnswer<string> =>
  proc.readKept(`${folderOf(thread)}/stat`);

/** The system call in which the thread is blocked. Undefined while it runs or is between calls. */
export const blockingCallOf = (
  thread: ThreadId,
  proc: ProcReader,
): ProcAnswer<BlockingCall | undefined> => {
  const syscall = proc.readKept(`${folderOf(thread)}/syscall`);
  if (syscall.missing) return syscall;
  const call = parseSyscall(syscall.value);
  return { value: call?.name === 'restart_syscall' ? restartedCall(thread, call, proc) : call };
};

/**
 * Where in its program the first thread of a process is blocked: the call, the stack pointer and the
 * program counter. Undefined while it runs, or if that cannot be read. As long as the process lives, the
 * same place in the program, reached by the same calls, is the same text.
 */
export const blockedPlaceOf = (pid: number, proc: ProcReader = realProc): string | undefined => {
  const syscall = proc.read(`/proc/${pid}/syscall`);
  if (syscall.missing) return undefined;
  const [number = '', ...rest] = syscall.value.trim().split(' ');
  return /^\d+$/.test(number) && rest.length === 8 ? `${number} ${rest[6]} ${rest[7]}` : undefined;
};

/**
 * Finds out which call is being restarted. After a stop (C-z, then `fg`), the kernel continues a call
 * with a time-out (poll, futex or clock_nanosleep) as `restart_syscall`, with the same arguments. Only
 * `wchan`, the kernel function in which the thread sleeps, shows which of the three it is.
 */
const restartedCall = (
  thread: ThreadId,
  { args }: BlockingCall,
  proc: ProcReader,
): BlockingCall => {
  const wchan = proc.read(`${folderOf(thread)}/wchan`);
  const kernelFunction = wchan.missing ? '' : wchan.value;
  if (kernelFunction.includes('poll')) return { name: 'poll', args };
  if (kernelFunction.includes('futex')) return { name: 'futex', args };
  return { name: 'clock_nanosleep', args };
};

/**
 * A count that changes whenever the thread runs. It is the third number of schedstat: how often the
 * thread has got a processor. If the kernel does not count that, it is how often the thread has given
 * the processor up, which changes only when it sleeps again: see `isCountOfRuns`.
 */
export const timesScheduled = (thread: ThreadId, proc: ProcReader): string | undefined => {
  const schedstat = proc.readKept(`${folderOf(thread)}/schedstat`);
  const count = schedstat.missing ? '0' : schedstat.value.trimEnd().split(' ')[2];
  if (count !== '0') return count;
  const status = proc.read(`${folderOf(thread)}/status`);
  return status.missing ? undefined : /^voluntary_ctxt_switches:.*$/m.exec(status.value)?.[0];
};

/** Whether it has changed as soon as the thread has run, not only when it has slept again. */
export const isCountOfRuns = (count: string | undefined): boolean =>
  count !== undefined && /^\d+$/.test(count);
