/**
 * Lets go of what only the start of this process has needed.
 *
 * To start, Node reads 35 MB of its own program, most of which a process that does little never looks at
 * again. What it does need comes back from the system's cache of the file, page by page.
 */
import { MADV_DONTNEED } from './constants.ts';
import { libc } from './libc.ts';
import { ownProgramMappings } from './proc/own-process.ts';

export const leaveStartUpPages = (): void => {
  const { madvise } = libc();
  // The kernel does not let a file be changed that is being executed, so what comes back is the same.
  for (const { address, bytes } of ownProgramMappings()) madvise(address, bytes, MADV_DONTNEED);
};
