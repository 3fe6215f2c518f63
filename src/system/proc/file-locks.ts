import { readFileSync } from 'node:fs';

/** The pids of the processes that hold a flock(2) lock on the file with this inode. */
export const lockHoldersOf = (inode: number): number[] => {
  // We do not compare the device number, because some file systems report another one to stat(2).
  const line = new RegExp(String.raw`FLOCK .* (\d+) \S+:${inode} `, 'g');
  const found = readFileSync('/proc/locks', 'utf8').matchAll(line);
  return [...found].map(([, pid]) => Number(pid));
};
