/**
 * Memory that outlives this process, because another one holds it too: a file without a name.
 *
 * What was stored there is there, whenever this process is killed: stores arrive in their order, and one
 * of eight aligned bytes arrives as a whole.
 */
import { randomUUID } from 'node:crypto';
import { closeSync, constants, ftruncateSync, openSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { TerminalUnavailable } from '../errors.ts';
import { MFD_CLOEXEC, O_TMPFILE, PUNCH_HOLE } from './constants.ts';
import { errnoName, lastErrnoName, libc } from './libc.ts';

/** Where memory is made that the kernel does not give us by itself. */
export interface MemoryFallback {
  /** A folder of this user alone, better one in memory. */
  folder: string;
  /**
   * How many bytes at the start will be mapped. They are allocated at once: on a full disk a store into a
   * page that has no place yet would end this process (SIGBUS).
   */
  mapped: number;
}

export interface SharedMemoryOptions {
  /** @default none: what the kernel refuses fails */
  fallback?: MemoryFallback | undefined;
  /** Tests replace it. @default memfd_create(2) */
  createMemfd?: (name: string) => number;
}

/** memfd_create(2) came with Linux 3.17, and a sandbox may not allow it. */
const REFUSALS = ['ENOSYS', 'EPERM', 'EACCES', 'EINVAL'];

/** Returns a descriptor of so many bytes, all 0. They take memory only once they are written. */
export const createSharedMemory = (
  name: string,
  bytes: number,
  { fallback, createMemfd = memfd }: SharedMemoryOptions = {},
): number => {
  const memory = createMemfd(name);
  const problem = memory < 0 ? lastErrnoName() : undefined;
  if (problem !== undefined && !(fallback && REFUSALS.includes(problem)))
    throw new TerminalUnavailable('memfd_create', problem);
  const fd = problem === undefined ? memory : openUnnamedFile(fallback!.folder);
  try {
    ftruncateSync(fd, bytes);
    if (problem !== undefined) allocate(fd, fallback!.mapped);
    return fd;
  } catch (error) {
    closeSync(fd);
    throw error;
  }
};

const memfd = (name: string): number => libc().memfd_create(name, MFD_CLOEXEC);

/** Gone with its last descriptor. Not every file system has O_TMPFILE. */
const openUnnamedFile = (folder: string): number => {
  try {
    return openSync(folder, constants.O_RDWR | O_TMPFILE, 0o600);
  } catch {
    const { O_RDWR, O_CREAT, O_EXCL } = constants;
    const path = join(folder, `memory-${randomUUID()}`);
    const fd = openSync(path, O_RDWR | O_CREAT | O_EXCL, 0o600);
    rmSync(path);
    return fd;
  }
};

const allocate = (fd: number, bytes: number): void => {
  const { posix_fallocate } = libc();
  // It returns the error instead of setting errno.
  const errno = posix_fallocate(fd, 0, bytes);
  if (errno !== 0) throw new TerminalUnavailable('posix_fallocate', errnoName(errno));
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

/** A part of it, shared with everyone who holds it. `from` must be a multiple of a page. */
export const mapSharedMemory = (fd: number, bytes: number, from = 0): Buffer => {
  const mapped = libc().mapShared(fd, bytes, from);
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
