/**
 * Memory that outlives this process, because another one holds it too: a file without a name.
 *
 * What was stored there is there, whenever this process is killed: stores arrive in their order, and one
 * of eight aligned bytes arrives as a whole.
 */
import { closeSync, ftruncateSync } from 'node:fs';
import { TerminalUnavailable } from '../errors.ts';
import { MFD_CLOEXEC, PUNCH_HOLE } from './constants.ts';
import { lastErrnoName, libc } from './libc.ts';

/** Returns a descriptor of so many bytes, all 0. They take memory only once they are written. */
export const createSharedMemory = (name: string, bytes: number): number => {
  const fd = libc().memfd_create(name, MFD_CLOEXEC);
  if (fd < 0) throw new TerminalUnavailable('memfd_create', lastErrnoName());
  try {
    ftruncateSync(fd, bytes);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

/**
 * Gives memory back: these bytes are 0 again, for everyone who holds it. Returns false if the system
 * cannot do that with this file; then they are as they were.
 */
export const giveBack = (fd: number, from: number, bytes: number): boolean =>
  libc().fallocate(fd, PUNCH_HOLE, from, bytes) === 0;

/** Unmaps what nobody can use any more, since nothing refers to it. Before that, no use may crash. */
const unreachable = new FinalizationRegistry<{ address: bigint; bytes: number }>(
  ({ address, bytes }) => libc().munmap(address, bytes),
);

/** The first bytes of it, shared with everyone who holds it. */
export const mapSharedMemory = (fd: number, bytes: number): Buffer => {
  const mapped = libc().mapShared(fd, bytes);
  if (mapped === undefined) throw new TerminalUnavailable('mmap', lastErrnoName());
  const buffer = Buffer.from(mapped);
  // Every part of the buffer refers to this object too.
  unreachable.register(mapped, { address: libc().addressOf(buffer), bytes });
  return buffer;
};

/**
 * The buffer and its parts are no longer shared, and take no memory. A later use of them does no harm:
 * they are empty memory of this process, and are unmapped when nothing refers to them.
 */
export const leaveSharedMemory = (buffer: Buffer): void =>
  libc().mapEmpty(libc().addressOf(buffer), buffer.length);
