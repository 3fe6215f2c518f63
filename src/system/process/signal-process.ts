/** Signals one process, known by more than its pid. */
import { SYS_PIDFD_OPEN, SYS_PIDFD_SEND_SIGNAL } from '../constants.ts';
import { lastErrnoName, libc } from '../libc.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { signalNumber } from './signals.ts';

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
