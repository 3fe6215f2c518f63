/** Checks that folders and sockets are this user's own, so that no other user can be behind them. */
import { accessSync, chmodSync, constants, lstatSync, type Stats } from 'node:fs';
import { SocketPathTooLong, TerminalError, UntrustedPlace, UnusableFolder } from '../../errors.ts';
import { makePrivateFolders } from '../../system/files/user-folders.ts';
import { MAX_SOCKET_PATH_BYTES } from '../../system/socket-path.ts';

/** What the user can do if a folder cannot be used. */
export const folderProblemRemedies = {
  runtime:
    'Let XDG_RUNTIME_DIR name a folder of yours, or REPARTEE_SOCKET a socket in a folder that is yours alone',
  state: 'Let XDG_STATE_HOME (or HOME) name a folder that you can write to',
} as const;

export type FolderPurpose = keyof typeof folderProblemRemedies;

/**
 * Creates the folder if it does not exist, for this user alone. Throws if it belongs to another user,
 * is a link, or cannot be written to.
 */
export const ensurePrivateFolder = (path: string, use: FolderPurpose): void => {
  try {
    makePrivateFolders(path);
    if (lstatSync(path).isFile())
      throw new UnusableFolder(path, reasons.ENOTDIR!, folderProblemRemedies[use]);
    assertPrivateFolder(path, use);
    accessSync(path, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw error instanceof TerminalError ? error : unusable(path, error, use);
  }
};

/** False if the folder does not exist. Throws if it is not private. */
export const isPrivateFolder = (path: string, use: FolderPurpose): boolean => {
  try {
    if (lstatSync(path, { throwIfNoEntry: false }) === undefined) return false;
  } catch (error) {
    throw unusable(path, error, use);
  }
  assertPrivateFolder(path, use);
  return true;
};

const assertPrivateFolder = (path: string, use: FolderPurpose): void => {
  const stat = lstatSync(path);
  const untrusted = (reason: string) =>
    new UntrustedPlace(path, reason, folderProblemRemedies[use]);
  if (!stat.isDirectory()) throw untrusted(whyNot(stat, 'a folder'));
  assertOurs(path, stat, use);
  // A folder with our name was created by us. REPARTEE_SOCKET can name any folder, such as /tmp,
  // whose permissions we must not change.
  if (OUR_FOLDER.test(path)) {
    if ((stat.mode & 0o777) !== 0o700) chmodSync(path, 0o700);
  } else if ((stat.mode & 0o022) !== 0) throw untrusted('others can write to it');
};

/** Uses our own text for common error codes: it is clearer than the system's. */
const unusable = (path: string, error: unknown, use: FolderPurpose): UnusableFolder => {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return new UnusableFolder(path, reasons[code] ?? message, folderProblemRemedies[use]);
};

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'this user may not enter it or write there (EACCES)',
  EPERM: 'this user may not write there (EPERM)',
  EROFS: 'it is on a read-only file system (EROFS)',
  ENOTDIR: 'it, or something above it, is a file (ENOTDIR)',
  ENOENT: 'no folder can be made there (ENOENT)',
  ENOSPC: 'the disk is full (ENOSPC)',
  ELOOP: 'its path has a loop of symbolic links (ELOOP)',
};

const OUR_FOLDER = /\/repartee(-\d+)?$/;

/** False if the socket does not exist. Throws if it is another user's, or not a socket. */
export const isSocketOfThisUser = (path: string): boolean => {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isSocket())
    throw new UntrustedPlace(path, whyNot(stat, 'a socket'), folderProblemRemedies.runtime);
  assertOurs(path, stat, 'runtime');
  return true;
};

export const assertSocketPathLength = (path: string): void => {
  if (Buffer.byteLength(path) > MAX_SOCKET_PATH_BYTES)
    throw new SocketPathTooLong(path, MAX_SOCKET_PATH_BYTES);
};

const assertOurs = (path: string, { uid }: Stats, use: FolderPurpose): void => {
  if (uid !== process.getuid?.())
    throw new UntrustedPlace(path, `it belongs to user ${uid}`, folderProblemRemedies[use]);
};

const whyNot = (stat: Stats, expected: string) =>
  stat.isSymbolicLink() ? 'it is a symbolic link' : `it is not ${expected}`;
