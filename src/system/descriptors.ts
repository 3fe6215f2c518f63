/** Operations on descriptors for which Node's `fs` has no function. */
import { TerminalUnavailable } from '../errors.ts';
import {
  F_DUPFD_CLOEXEC,
  F_GETFL,
  F_GETPIPE_SZ,
  F_SETFD,
  F_SETFL,
  FD_CLOEXEC,
  FIONREAD,
  LOCK_EX_NB,
  O_CLOEXEC,
  O_NONBLOCK,
  POLLFD_LAYOUT,
  POLLHUP,
  POLLIN,
  SYS_PIDFD_GETFD,
  SYS_PIDFD_OPEN,
} from './constants.ts';
import { lastErrnoName, libc } from './libc.ts';
import { maxDescriptors } from './proc/proc.ts';

export const setNonblocking = (fd: number): void => {
  const { fcntl } = libc();
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL, 0) | O_NONBLOCK);
};

/** Programs that we start from now on do not inherit it. */
export const closeOnExec = (fd: number): void => void libc().fcntl(fd, F_SETFD, FD_CLOEXEC);

/** The opposite: programs that we start, or that take our place, inherit it. */
export const keepOnExec = (fd: number): void => void libc().fcntl(fd, F_SETFD, 0);

/** Returns another descriptor for the same terminal or pipe. */
export const duplicateDescriptor = (fd: number): number => {
  const copy = libc().fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (copy < 0) throw new TerminalUnavailable('fcntl', lastErrnoName());
  return copy;
};

export const openPipe = (): { readEnd: number; writeEnd: number } => {
  const ends = new Int32Array(2);
  if (libc().pipe2(ends, O_CLOEXEC) < 0) throw new TerminalUnavailable('pipe2', lastErrnoName());
  const [readEnd = -1, writeEnd = -1] = ends;
  if (isReserved(writeEnd)) {
    closePipeEnd(readEnd);
    closePipeEnd(writeEnd);
    throw new TerminalUnavailable('pipe2', 'EMFILE');
  }
  return { readEnd, writeEnd };
};

/** Left for what frees others: to look at a session and close it, to take a connection. */
const RESERVED = 16;

/** Whether a new descriptor is one of the last. The kernel gives the lowest number that is free. */
export const isReserved = (fd: number): boolean => {
  const max = maxDescriptors();
  return fd >= max - Math.min(RESERVED, max / 4);
};

/** Uses libc, because in a worker thread `fs.close` warns of descriptors that `fs` did not open. */
export const closePipeEnd = (end: number): void => void libc().close(end);

/** Locks a file until this process ends. Returns false while another process holds the lock. */
export const tryFileLock = (fd: number): boolean => libc().flock(fd, LOCK_EX_NB) === 0;

/** How many bytes a pipe can hold. Undefined if the descriptor is not a pipe. */
export const pipeCapacity = (fd: number): number | undefined => {
  const bytes = libc().fcntl(fd, F_GETPIPE_SZ, 0);
  return bytes < 0 ? undefined : bytes;
};

/** How many bytes a pipe holds, asked at either end. */
export const unreadBytes = (fd: number): number => {
  const count = new Int32Array(1);
  libc().ioctl(fd, FIONREAD, new Uint8Array(count.buffer));
  return count[0]!;
};

/** Whether an open failed because this process (or the whole machine) has no free descriptors left. */
export const isOutOfDescriptors = (error: unknown): boolean =>
  ['EMFILE', 'ENFILE'].includes((error as NodeJS.ErrnoException).code ?? '');

/**
 * Calls `use` with a copy of another process's descriptor. The copy refers to the same open file;
 * opening /proc/PID/fd/N would create a new one. Returns undefined if we lack the permission, or
 * before Linux 5.6.
 */
export const withDescriptorOf = <T>(
  pid: number,
  fd: number,
  use: (copy: number) => T,
): T | undefined => {
  const { syscall, close } = libc();
  const pidfd = syscall(SYS_PIDFD_OPEN, pid, 0, 0);
  if (pidfd < 0) return undefined;
  const copy = syscall(SYS_PIDFD_GETFD, pidfd, fd, 0);
  close(pidfd);
  if (copy < 0) return undefined;
  const result = use(copy);
  close(copy);
  return result;
};

/** One for all calls, since each observation makes several. */
const pollfd = Buffer.alloc(POLLFD_LAYOUT.bytes);
pollfd.writeInt16LE(POLLIN, POLLFD_LAYOUT.events);

/** Whether a read would return at once. Unlike FIONREAD, this also notices a lone ^D. */
export const isDescriptorReadable = (fd: number): boolean => hasEvent(fd, POLLIN);

/** Whether nobody holds the other end any more. There may still be something to read. */
export const isDescriptorHungUp = (fd: number): boolean => hasEvent(fd, POLLHUP);

const hasEvent = (fd: number, event: number): boolean => {
  pollfd.writeInt32LE(fd);
  pollfd.writeInt16LE(0, POLLFD_LAYOUT.revents);
  libc().poll(pollfd, 1, 0);
  return (pollfd.readInt16LE(POLLFD_LAYOUT.revents) & event) !== 0;
};
