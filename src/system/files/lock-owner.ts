/** Who holds a lock file: asked of the kernel, since a process that is stuck cannot be asked. */
import { lstatSync } from 'node:fs';
import { linksOf } from '../proc/descriptor-info.ts';
import { lockHolders } from '../proc/file-locks.ts';

/** Undefined where nobody holds it, or where the kernel does not say. */
export const lockOwner = (path: string): number | undefined => {
  try {
    const { ino } = lstatSync(path);
    return lockHolders(ino).find((pid) => linksOf(pid).includes(path));
  } catch {
    // The lock file is gone, or the list of locks cannot be read. The pid is only a detail of a message.
    return undefined;
  }
};
