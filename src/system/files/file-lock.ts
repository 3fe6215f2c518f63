/** There is one daemon: whoever holds the lock. The kernel lets go of it however its holder ends. */
import { closeSync, constants, fstatSync, lstatSync } from 'node:fs';
import { tryLock } from '../descriptors.ts';
import { openPrivate } from './private-files.ts';

/** Takes the lock for as long as this process lives. False while another process has it. */
export const takeLock = (path: string): boolean => {
  const { O_RDWR, O_CREAT, O_NOFOLLOW } = constants;
  // Never unlinked, and closed only where it is gone: a lock on a file that is no longer there would
  // hold nobody back.
  if (held !== undefined && !isAt(path, held)) {
    closeSync(held);
    held = undefined;
  }
  held ??= openPrivate(path, O_RDWR | O_CREAT | O_NOFOLLOW);
  return tryLock(held);
};

let held: number | undefined;

const isAt = (path: string, descriptor: number): boolean => {
  const there = lstatSync(path, { throwIfNoEntry: false });
  const { dev, ino } = fstatSync(descriptor);
  return there?.dev === dev && there.ino === ino;
};
