/** Asks the kernel which process holds a lock file, because a stuck process cannot answer. */
import { lstatSync } from 'node:fs';
import { descriptorLinksOf } from '../proc/descriptor-info.ts';
import { lockHoldersOf } from '../proc/file-locks.ts';

/** Undefined if no process holds the lock, or if the kernel does not show which one does. */
export const findLockOwner = (path: string): number | undefined => {
  try {
    const { ino } = lstatSync(path);
    // A keeper, and a daemon that has one, do not show their descriptors.
    return lockHoldersOf(ino).find((pid) => {
      const links = descriptorLinksOf(pid);
      return links.length === 0 || links.includes(path);
    });
  } catch {
    // The lock file is gone, or the list of locks cannot be read. That is no error: the pid only adds
    // a detail to a message.
    return undefined;
  }
};
