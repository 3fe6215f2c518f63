/**
 * Files and folders that only this user can access, whatever the umask is. A caller's umask may deny
 * access even to the owner, and the daemon changes its own umask while it starts a program (umask.ts).
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

/**
 * The umask may remove permissions from a new file, so the mode is set again. It is not too late for
 * that: a mode is checked only when a file is opened, and our descriptor is open already.
 */
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

/** Makes a folder with a unique name that begins with the prefix, and returns its path. */
export const makePrivateTemporaryFolder = (prefix: string): string => {
  const folder = mkdtempSync(prefix);
  chmodSync(folder, 0o700);
  return folder;
};
