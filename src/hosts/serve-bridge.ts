/** The far side of a bridge: standard input and output lead to the daemon of this user on this machine. */
import type { Readable, Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import { connectDaemon } from '../daemon/client/daemon-sessions.ts';
import { openDaemonSocket } from '../daemon/client/find-daemon.ts';
import { daemonPaths } from '../daemon/protocol/daemon-paths.ts';
import { DaemonNotRunning } from '../errors.ts';
import { PACKAGE_VERSION } from '../package-version.ts';
import { userShell } from '../session/options/requests.ts';
import { SECRET_VARIABLE } from '../session/secrets/secret-sources.ts';
import { ownUmask } from '../system/proc/own-process.ts';
import { startMark } from './start-mark.ts';

/** For a daemon that runs and takes no more connections. */
const ANSWER_MS = 20_000;
const DEFAULT_UMASK = 0o022;

/** Ends when either side does. Starts a daemon if there is none. */
export const serveBridge = async (input: Readable, output: Writable): Promise<void> => {
  const socket = await daemonSocket();
  output.write(startMark(greeting()));
  input.pipe(socket);
  socket.pipe(output);
  // Whoever reads our output may be gone.
  output.on('error', () => socket.destroy());
  await finished(socket).catch(() => {});
};

const daemonSocket = async () => {
  const paths = daemonPaths();
  const running = await openDaemonSocket(paths, ANSWER_MS);
  if (running !== undefined) return running;
  const sessions = await connectDaemon({ caller: { door: 'library' } });
  try {
    const socket = await openDaemonSocket(paths, ANSWER_MS);
    if (socket === undefined) throw new DaemonNotRunning(paths.socket);
    return socket;
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
};

const greeting = () => {
  // Of the far user's environment all but the secrets goes to the near side, which is the same person.
  const env = Object.fromEntries(
    Object.entries(process.env).filter(
      (entry): entry is [string, string] =>
        entry[1] !== undefined && !SECRET_VARIABLE.test(entry[0]),
    ),
  );
  return {
    version: PACKAGE_VERSION,
    folder: process.cwd(),
    env,
    shell: userShell(process.env),
    umask: ownUmask() ?? DEFAULT_UMASK,
  };
};
