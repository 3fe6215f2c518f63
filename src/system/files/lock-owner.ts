/** Who holds a lock file: asked of the kernel, since a process that is stuck cannot be asked. */
import { lstatSync } from 'node:fs';
import { descriptorLinksOf } from '../proc/descriptor-info.ts';
import { lockHoldersOf } from '../proc/file-locks.ts';

/** Undefined where nobody holds it, or where the kernel does not say. */
export const findLockOwner = (path: string): number | undefined => {
  try {
    const { ino } = lstatSync(path);
    return lockHoldersOf(ino).find((pid) => descriptorLinksOf(pid).includes(path));
  } catch {
    // The lock file is gone, or the list of locks cannot be read. The pid is only a detail of a message.
    return undefined;
  }
};
