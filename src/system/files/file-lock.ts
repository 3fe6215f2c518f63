/** A lock file: the process that holds the lock is the daemon. The kernel frees it when that ends. */
import { closeSync, constants, fstatSync, lstatSync } from 'node:fs';
import { tryFileLock } from '../descriptors.ts';
import { openPrivateFile } from './private-files.ts';

/** Takes the lock for as long as this process lives. False while another process has it. */
export const takeFileLock = (path: string): boolean => {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  // Never unlinked, and closed only when the file is gone: a lock on a deleted file locks nothing.
  if (held !== undefined && !isAt(path, held)) {
    closeSync(held);
    held = undefined;
  }
  held ??= openPrivateFile(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  return tryFileLock(held);
};

let held: number | undefined;

const isAt = (path: string, descriptor: number): boolean => {
  const there = lstatSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(descriptor);
  return there?.dev === dev && there.ino === ino;
};
