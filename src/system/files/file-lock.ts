/** The daemon's lock file. Its holder is the daemon, and the kernel frees the lock when it ends. */
import { closeSync, constants, fstatSync, lstatSync } from 'node:fs';
import { tryFileLock } from '../descriptors.ts';
import { openPrivateFile } from './private-files.ts';

/** Takes the lock until this process ends. Returns false while another process holds it. */
export const takeFileLock = (path: string): boolean => {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  // We never delete the file. If it was deleted or replaced, we close it, because a lock on a deleted
  // file has no effect.
  if (lockFd !== undefined && !isFileAt(path, lockFd)) {
    closeSync(lockFd);
    lockFd = undefined;
  }
  lockFd ??= openPrivateFile(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  return tryFileLock(lockFd);
};

/** For a program that takes our place, and must have the lock without a gap. Undefined if we have none. */
export const lockDescriptor = (): number | undefined => lockFd;

/** Goes on with the lock that the program before us in this process has taken. */
export const inheritFileLock = (fd: number): void => {
  lockFd = fd;
};

let lockFd: number | undefined;

const isFileAt = (path: string, fd: number): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(fd);
  return stat?.dev === dev && stat.ino === ino;
};
