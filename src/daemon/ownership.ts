/** Nothing is read from, written to or connected to that another user could have put there. */
import { chmodSync, lstatSync, mkdirSync, type Stats } from 'node:fs';
import { SocketPathTooLong, UntrustedPlace } from '../errors.ts';

/** What sockaddr_un holds, without the NUL at its end; a longer path would be cut without a word. */
const LONGEST_SOCKET_PATH = 107;

/** Makes the folder if need be, this user's alone. Refuses one that is somebody else's, or a link. */
export const ensurePrivateFolder = (path: string): void => {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  assertPrivateFolder(path);
};

export const assertPrivateFolder = (path: string): void => {
  const stat = lstatSync(path);
  if (!stat.isDirectory()) throw new UntrustedPlace(path, whyNot(stat, 'a folder'));
  assertOurs(path, stat);
  // What bears our name was made by us. REPARTEE_SOCKET can name any folder, /tmp for example, and
  // that is not ours to close: the socket in it is.
  if (OUR_NAME.test(path)) {
    if ((stat.mode & 0o077) !== 0) chmodSync(path, 0o700);
  } else if ((stat.mode & 0o022) !== 0) throw new UntrustedPlace(path, 'others can write to it');
};

const OUR_NAME = /\/repartee(-\d+)?$/;

/** False where there is no socket. */
export const isSocketOfOurs = (path: string): boolean => {
  assertSocketPath(path);
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return false;
  if (!stat.isSocket()) throw new UntrustedPlace(path, whyNot(stat, 'a socket'));
  assertOurs(path, stat);
  return true;
};

export const assertSocketPath = (path: string): void => {
  const bytes = Buffer.byteLength(path);
  if (bytes > LONGEST_SOCKET_PATH) throw new SocketPathTooLong(path, LONGEST_SOCKET_PATH);
};

const assertOurs = (path: string, { uid }: Stats): void => {
  if (uid !== process.getuid?.()) throw new UntrustedPlace(path, `it belongs to user ${uid}`);
};

const whyNot = (stat: Stats, expected: string) =>
  stat.isSymbolicLink() ? 'it is a symbolic link' : `it is not ${expected}`;
