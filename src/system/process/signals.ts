/** Names and numbers of signals, and sending them. */
import { constants } from 'node:os';
import { SignalNotPermitted, UnknownSignal } from '../../errors.ts';
import { SYS_PIDFD_OPEN, SYS_PIDFD_SEND_SIGNAL } from '../constants.ts';
import { lastErrnoName, libc } from '../libc.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';

const numbers: Readonly<Record<string, number | undefined>> = constants.signals;

/** Accepts `SIGINT` and `INT`, in any case. */
export const signalNumber = (name: string): number => {
  const upper = name.toUpperCase();
  const number = numbers[upper] ?? numbers[`SIG${upper}`] ?? realTimeSignal(upper);
  if (number === undefined) throw new UnknownSignal(name);
  return number;
};

/** Node's table has no names for real-time signals. We call them SIG34 to SIG64. */
const realTimeSignal = (name: string): number | undefined => {
  const number = Number(/^SIG(\d\d)$/.exec(name)?.[1]);
  return number >= 34 && number <= 64 ? number : undefined;
};

export const signalName = (number: number): string =>
  Object.keys(numbers).find((name) => numbers[name] === number) ?? `SIG${number}`;

/** A negative pid means a process group. Throws only if we may signal none of the processes. */
export const sendSignal = (name: string, pids: readonly number[]): void => {
  const signal = signalNumber(name);
  const refused = pids.filter((pid) => {
    try {
      process.kill(pid, signal);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  });
  if (refused.length > 0 && refused.length === pids.length) {
    throw new SignalNotPermitted(name, refused);
  }
};

/**
 * Signals this very process, never another one that has got its pid. If it is gone, or another user's,
 * nothing happens.
 */
export const signalProcess = ({ pid, startTime }: ProcessStat, name: string): void => {
  if (pid <= 1) return;
  const signal = signalNumber(name);
  const { syscall, pidfdSendSignal, close } = libc();
  const pidfd = syscall(SYS_PIDFD_OPEN, pid, 0, 0);
  // Before Linux 5.3 there is none, and when no descriptor is left.
  if (pidfd < 0 && lastErrnoName() === 'ESRCH') return;
  try {
    if (readProcessStat(pid)?.startTime !== startTime) return;
    if (pidfd < 0) process.kill(pid, signal);
    else pidfdSendSignal(SYS_PIDFD_SEND_SIGNAL, pidfd, signal, 0, 0);
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ESRCH', 'EPERM'].includes(code)) throw error;
  } finally {
    if (pidfd >= 0) close(pidfd);
  }
};
