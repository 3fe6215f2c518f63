/** Nothing is read from, written to or connected to that another user could have put there. */
import { accessSync, chmodSync, constants, lstatSync, type Stats } from 'node:fs';
import { SocketPathTooLong, TerminalError, UntrustedPlace, UnusableFolder } from '../../errors.ts';
import { makeFolder } from '../../system/files/user-folders.ts';

/** What sockaddr_un holds, without the NUL at its end; a longer path would be cut without a word. */
const LONGEST_SOCKET_PATH = 107;

/** What to do about a folder that cannot be used, according to what it is for. */
export const folderRemedies = {
  runtime:
    'Let XDG_RUNTIME_DIR name a folder of yours, or REPARTEE_SOCKET a socket in a folder that is yours alone',
  state: 'Let XDG_STATE_HOME (or HOME) name a folder that you can write to',
} as const;

export type FolderUse = keyof typeof folderRemedies;

/**
 * Makes the folder if need be, this user's alone. Refuses one that is somebody else's, a link, or
 * nothing that can be written to.
 */
export const ensurePrivateFolder = (path: string, use: FolderUse): void => {
  try {
    makeFolder(path);
    if (lstatSync(path).isFile())
      throw new UnusableFolder(path, reasons.ENOTDIR!, folderRemedies[use]);
    assertPrivateFolder(path, use);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof TerminalError ? error : unusable(path, error, use);
  }
};

/** False where there is none. */
export const isPrivateFolder = (path: string, use: FolderUse): boolean => {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  } catch (error) {
    throw unusable(path, error, use);
  }
  assertPrivateFolder(path, use);
  return true;
};

const assertPrivateFolder = (path: string, use: FolderUse): void => {
  const stat = lstatSync(path);
  const untrusted = (reason: string) => new UntrustedPlace(path, reason, folderRemedies[use]);
  if (!stat.isDirectory()) throw untrusted(whyNot(stat, 'a folder'));
  assertOurs(path, stat, use);
  // What bears our name was made by us. REPARTEE_SOCKET can name any folder, /tmp for example, and
  // that is not ours to close: the socket in it is.
  if (OUR_NAME.test(path)) {
    if ((stat.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  } else if ((stat.mode & 0o022) !== 0) throw untrusted('others can write to it');
};

/** In our words where we know better than the system what it means. */
const unusable = (path: string, error: unknown, use: FolderUse): UnusableFolder => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UnusableFolder(path, reasons[code] ?? message, folderRemedies[use]);
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not enter it or write there (EACCES)',
  EPERM: 'this user may not write there (EPERM)',
  EROFS: 'it lies on a file system that can only be read (EROFS)',
  ENOTDIR: 'what is there, or above it, is a file (ENOTDIR)',
  ENOENT: 'no folder can be made there (ENOENT)',
  ENOSPC: 'the disk is full (ENOSPC)',
  ELOOP: 'its path is a circle of links (ELOOP)',
};

const OUR_NAME = /\/repartee(-\d+)?$/;

/** False where there is no socket. */
export const isSocketOfOurs = (path: string): boolean => {
  assertSocketPath(path);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isSocket())
    throw new UntrustedPlace(path, whyNot(stat, 'a socket'), folderRemedies.runtime);
  assertOurs(path, stat, 'runtime');
  return true;
};

export const assertSocketPath = (path: string): void => {
  const bytes = Buffer.byteLength(path);
  if (bytes > LONGEST_SOCKET_PATH) throw new SocketPathTooLong(path, LONGEST_SOCKET_PATH);
};

const assertOurs = (path: string, { uid }: Stats, use: FolderUse): void => {
  if (uid !== process.getuid?.())
    throw new UntrustedPlace(path, `it belongs to user ${uid}`, folderRemedies[use]);
};

const whyNot = (stat: Stats, expected: string) =>
  stat.isSymbolicLink() ? 'it is a symbolic link' : `it is not ${expected}`;
