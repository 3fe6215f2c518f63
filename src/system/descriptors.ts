/** The few things we do to descriptors that Node's `fs` has no call for. */
import { TerminalUnavailable } from '../errors.ts';
import {
  F_DUPFD_CLOEXEC,
  F_GETFL,
  F_GETPIPE_SZ,
  F_SETFL,
  LOCK_EX_NB,
  O_CLOEXEC,
  O_NONBLOCK,
  POLLFD_LAYOUT,
  POLLIN,
  SYS_PIDFD_GETFD,
  SYS_PIDFD_OPEN,
} from './constants.ts';
import { lastErrno, libc } from './libc.ts';

export const setNonblocking = (fd: number): void => {
  const { fcntl } = libc();
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL, 0) | O_NONBLOCK);
};

/** Another descriptor for the same terminal or pipe. */
export const duplicateDescriptor = (fd: number): number => {
  const copy = libc().fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw new TerminalUnavailable('fcntl', lastErrno());
  return copy;
};

export const openPipe = (): { readEnd: number; writeEnd: number } => {
  const ends = new Int32Array(2);
  if (libc().pipe2(ends, O_CLOEXEC) < 0) throw new TerminalUnavailable('pipe2', lastErrno());
  return { readEnd: ends[0]!, writeEnd: ends[1]! };
};

/** For what `fs` has not opened: in a worker thread `fs.close` warns of such descriptors. */
export const closePipeEnd = (end: number): void => void libc().close(end);

/** Locks a file against other processes, until this one ends. False while another has it. */
export const tryFileLock = (fd: number): boolean => libc().flock(fd, LOCK_EX_NB) === 0;

/** What a pipe can hold; undefined for what is none. */
export const pipeCapacity = (fd: number): number | undefined => {
  const bytes = libc().fcntl(fd, F_GETPIPE_SZ, 0);
  return bytes < 0 ? undefined : bytes;
};

/** This process, or the whole machine, has none left to open a file with. */
export const isOutOfDescriptors = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Asks something of a descriptor of another process: of the very same open file, which opening
 * /proc/PID/fd again would not give. Undefined where we may not, or before Linux 5.6.
 */
export const withDescriptorOf = <T>(
  pid: number,
  fd: number,
  question: (copy: number) => T,
): T | undefined => {
  const { syscall, close } = libc();
  const process = syscall(SYS_PIDFD_OPEN, pid, 0, 0);
  if (process < 0) return undefined;
  const copy = syscall(SYS_PIDFD_GETFD, process, fd, 0);
  close(process);
  if (copy < 0) return undefined;
  const answer = question(copy);
  close(copy);
  return answer;
};

/** Whether a read would return something now. Unlike FIONREAD, this sees a lone ^D. */
export const hasBytesToRead = (fd: number): boolean => {
  const pollfd = Buffer.alloc(POLLFD_LAYOUT.bytes);
  pollfd.writeInt32LE(fd);
  pollfd.writeInt16LE(POLLIN, POLLFD_LAYOUT.events);
  libc().poll(pollfd, 1, 0);
  return (pollfd.readInt16LE(POLLFD_LAYOUT.revents) & POLLIN) !== 0;
};
