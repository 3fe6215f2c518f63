/**
 * Files and folders for this user alone, whatever the umask is. A caller's umask may shut out even the
 * owner, and a daemon changes its own for a moment whenever it starts a program (umask.ts).
 */
import {
  chmodSync,
  closeSync,
  fchmodSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  writeFileSync,
} from 'node:fs';

/** A mode says who may open a file, not who has: so it may be set afterwards. */
export const openPrivateFile = (path: string, flags: string | number): number => {
  const fd = openSync(path, flags, 0o600);
  fchmodSync(fd, 0o600);
  return fd;
};

export const writePrivateFile = (path: string, text: string, flags: 'w' | 'a' = 'w'): void => {
  const fd = openPrivateFile(path, flags);
  try {
    writeFileSync(fd, text);
  } finally {
    closeSync(fd);
  }
};

export const makePrivateFolder = (path: string): void => {
  mkdirSync(path, { mode: 0o700 });
  chmodSync(path, 0o700);
};

/** With a name of its own behind the prefix. */
export const makePrivateTemporaryFolder = (prefix: string): string => {
  const folder = mkdtempSync(prefix);
  chmodSync(folder, 0o700);
  return folder;
};
