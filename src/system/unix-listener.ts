/**
 * Binds a unix socket and listens, without taking connections: another process does that, and this one
 * keeps the socket when that process ends. Meanwhile clients wait in its backlog.
 *
 * Node's server cannot do this: it takes connections itself, and removes the path when it is closed.
 */
import { chmodSync, closeSync, rmSync } from 'node:fs';
import { TerminalUnavailable } from '../errors.ts';
import { AF_UNIX, O_CLOEXEC, O_NONBLOCK, SOCK_STREAM, SOCKADDR_UN_LAYOUT } from './constants.ts';
import { lastErrnoName, libc } from './libc.ts';
import { withShortSocketPath } from './socket-path.ts';

/** As Node's servers. The kernel's own limit may be lower. */
const BACKLOG = 511;

/** The path must be free. Only this user may connect. */
export const listenOnPath = (path: string): number => {
  const { socket, listen } = libc();
  const fd = socket(AF_UNIX, SOCK_STREAM | O_CLOEXEC | O_NONBLOCK, 0);
  if (fd < 0) throw new TerminalUnavailable('socket', lastErrnoName());
  const mustSucceed = (call: string, result: number) => {
    if (result === 0) return;
    const problem = lastErrnoName();
    closeSync(fd);
    throw new TerminalUnavailable(call, problem);
  };
  const umask = process.umask(0o177);
  try {
    mustSucceed(
      'bind',
      withShortSocketPath(path, (short) => bindTo(fd, short)),
    );
  } finally {
    process.umask(umask);
  }
  mustSucceed('listen', listen(fd, BACKLOG));
  chmodSync(path, 0o600);
  return fd;
};

/** Does nothing if it is gone, or its folder is, or is no folder any more. */
export const removeSocket = (path: string): void => {
  try {
    rmSync(path, { force: true });
  } catch {
    // Whoever finds it there finds that nobody listens.
  }
};

const bindTo = (fd: number, path: string): number => {
  const address = Buffer.alloc(SOCKADDR_UN_LAYOUT.bytes);
  address.writeUInt16LE(AF_UNIX);
  address.write(path, SOCKADDR_UN_LAYOUT.path);
  return libc().bind(fd, address, SOCKADDR_UN_LAYOUT.path + Buffer.byteLength(path) + 1);
};
