/** The few things we do to descriptors that Node's `fs` has no call for. */

import { TerminalUnavailable } from '../errors.ts';
import {
  F_DUPFD_CLOEXEC,
  F_GETFL,
  F_SETFL,
  lastErrno,
  libc,
  O_CLOEXEC,
  O_NONBLOCK,
  POLLFD,
  POLLIN,
} from './libc.ts';

export const setNonblocking = (fd: number): void => {
  const { fcntl } = libc();
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL, 0) | O_NONBLOCK);
};

/** Another descriptor for the same terminal or pipe. */
export const duplicate = (fd: number): number => {
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
export const closePipe = (end: number): void => void libc().close(end);

/** Whether a read would return something now. Unlike FIONREAD, this sees a lone ^D. */
export const isReadable = (fd: number): boolean => {
  const pollfd = Buffer.alloc(POLLFD.bytes);
  pollfd.writeInt32LE(fd);
  pollfd.writeInt16LE(POLLIN, POLLFD.events);
  libc().poll(pollfd, 1, 0);
  return (pollfd.readInt16LE(POLLFD.revents) & POLLIN) !== 0;
};
