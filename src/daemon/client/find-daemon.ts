/**
 * Finds the socket at which the daemon listens: in the runtime folder, or in the state folder, where every
 * daemon of this user has a second one.
 */
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonSilent } from '../../errors.ts';
import { withShortSocketPath } from '../../system/socket-path.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import {
  assertSocketPathLength,
  isPrivateFolder,
  isSocketOfThisUser,
} from '../protocol/path-ownership.ts';
import { findDaemonProcess } from './daemon-process.ts';

/** Also at the second socket alone: then its runtime folder is gone. */
export const isDaemonListening = async (paths: DaemonPaths): Promise<boolean> => {
  for (const path of socketsOf(paths)) if (await isListeningAt(path)) return true;
  return false;
};

/** Whether a daemon lives that was started where the runtime folder was before. */
export const isListeningInState = async ({ stateSocket }: DaemonPaths): Promise<boolean> =>
  isOwnPlace(stateSocket) && isListeningAt(stateSocket);

const isListeningAt = async (path: string): Promise<boolean> => {
  const socket = await connectTo(path);
  if (typeof socket === 'object') socket.destroy();
  return socket !== undefined;
};

/** Where the daemon may be found: what exists, and is this user's. Usually the first is enough. */
function* socketsOf(paths: DaemonPaths): Generator<string> {
  const { runtimeFolder, socket, stateSocket } = paths;
  assertSocketPathLength(socket);
  if (isPrivateFolder(runtimeFolder, 'runtime') && isSocketOfThisUser(socket)) yield socket;
  if (isOwnPlace(stateSocket)) yield stateSocket;
  yield* otherSockets(paths);
}

/** Those of daemons that were started with other folders. */
export const otherSockets = (paths: DaemonPaths): string[] => [
  ...otherStateSockets(paths),
  ...paths.usualSockets.filter((path) => isOwnPlace(path, 'runtime')),
];

const otherStateSockets = ({ stateSocket, stateSocketPrefix }: DaemonPaths): string[] => {
  if (stateSocketPrefix === undefined) return [];
  const folder = dirname(stateSocketPrefix);
  const isSocket = (name: string) =>
    name.startsWith(basename(stateSocketPrefix)) && name.endsWith('.sock');
  return namesIn(folder)
    .filter(isSocket)
    .map((name) => join(folder, name))
    .filter((path) => path !== stateSocket && isOwnPlace(path));
};

const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder);
  } catch {
    // It is not there, or cannot be read: then there is no daemon that we could use.
    return [];
  }
};

/** What is wrong with the first place is told, and here the daemon is only looked for as well. */
const isOwnPlace = (path: string, kind: 'runtime' | 'state' = 'state'): boolean => {
  try {
    return isPrivateFolder(dirname(path), kind) && isSocketOfThisUser(path);
  } catch {
    return false;
  }
};

/** No daemon, or a killed one. */
const NOT_LISTENING = ['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE'];

/** `busy`: somebody listens, and more connections wait there than the socket takes. */
const connectTo = (path: string): Promise<Socket | 'busy' | undefined> =>
  new Promise((resolve, reject) => {
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'EAGAIN') resolve('busy');
      else if (NOT_LISTENING.includes(error.code ?? '')) resolve(undefined);
      else reject(error);
    };
    try {
      const socket = withShortSocketPath(path, (short) => connect(short));
      socket.once('error', onError);
      socket.once('connect', () => {
        socket.off('error', onError);
        resolve(socket);
      });
    } catch (error) {
      // Its folder is gone since we have looked.
      onError(error as NodeJS.ErrnoException);
    }
  });

/** How soon a socket is tried again that takes no more connections for a moment. */
const BUSY_RETRY_MS = 10;

/**
 * Undefined if nobody listens. Waits as long as somebody does, but takes no more connections. Throws if
 * that lasts: then the daemon is stopped or stuck.
 */
export const openDaemonSocket = async (
  paths: DaemonPaths,
  answerMs: number,
): Promise<Socket | undefined> => {
  const deadline = performance.now() + answerMs;
  for (;;) {
    let isBusy = false;
    for (const path of socketsOf(paths)) {
      const socket = await connectTo(path);
      if (typeof socket === 'object') return socket;
      if (socket === 'busy') isBusy = true;
    }
    if (!isBusy) return undefined;
    if (performance.now() > deadline)
      throw new DaemonSilent(answerMs, paths.log, findDaemonProcess(paths.lock));
    await delay(BUSY_RETRY_MS);
  }
};
