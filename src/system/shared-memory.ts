/**
 * Memory that outlives this process, because another one holds it too: a file without a name.
 *
 * What was stored there is there, whenever this process is killed: stores arrive in their order, and one
 * of eight aligned bytes arrives as a whole.
 */
import { closeSync, ftruncateSync } from 'node:fs';
import { TerminalUnavailable } from '../errors.ts';
import { FALLOC_FL_KEEP_SIZE, FALLOC_FL_PUNCH_HOLE, MFD_CLOEXEC } from './constants.ts';
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
 * The first bytes of it, shared with everyone who holds it. They are mapped until this process ends: no
 * use of the buffer can then be a use of memory that is gone.
 */
export const mapSharedMemory = (fd: number, bytes: number): Buffer => {
  const mapped = libc().mapShared(fd, bytes);
  if (mapped === undefined) throw new TerminalUnavailable('mmap', lastErrnoName());
  return Buffer.from(mapped);
};

/** Gives the memory of a range back to the system. Its bytes are 0 from now on. */
export const giveBack = (fd: number, from: number, bytes: number): void => {
  // If it fails, the range takes memory for longer.
  libc().fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, bytes);
};
