/** Finds the daemon, starts it where there is none, and says hello. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  DaemonEnding,
  DaemonLost,
  DaemonNotRunning,
  DaemonNotStarted,
  DaemonSilent,
  OtherVersion,
  TerminalError,
} from '../../errors.ts';
import type { SecretSource } from '../../session/secrets/secrets.ts';
import { lockOwner } from '../../system/files/lock-owner.ts';
import { type DaemonPaths, daemonPaths } from '../protocol/daemon-paths.ts';
import { assertSocketPath } from '../protocol/path-ownership.ts';
import { PROTOCOL, type SessionEntry } from '../protocol/protocol.ts';
import { VERSION } from '../protocol/version.ts';
import { DaemonConnection } from './daemon-connection.ts';
import type { StartedDaemon, StartOptions } from './start-daemon.ts';

export interface ConnectOptions extends StartOptions {
  /** @internal */
  paths?: DaemonPaths;
  /** Start a daemon where there is none. @default true */
  start?: boolean;
  /** Where the caller's secrets come from. @default its environment and its files */
  secrets?: SecretSource;
  /** How long a daemon that runs may take to answer: it may be stopped, or stuck. @default 20000 */
  answerMs?: number;
  /** Told which sessions a daemon that crashed has lost, once. */
  onLost?: (lost: readonly SessionEntry[]) => void;
}

/** Node takes 50 ms to start on an idle machine, and seconds on one that is not. */
const START_MS = 20_000;
const ASK_AGAIN_MS = 10;

export const connectToDaemon = async (options: ConnectOptions = {}): Promise<DaemonConnection> => {
  const { paths = daemonPaths(), start = true } = options;
  assertSocketPath(paths.socket);
  const deadline = performance.now() + START_MS;
  let daemon: StartedDaemon | undefined;
  while (true) {
    const connection = await DaemonConnection.open(paths);
    if (connection !== undefined) {
      if (await greet(connection, paths, options)) return connection;
    } else if (!start) throw new DaemonNotRunning(paths.socket);
    else if (daemon === undefined) daemon = await tryStart(paths, options);
    else if (daemon.exitCode !== undefined) {
      if (daemon.exitCode !== 0) throw new DaemonNotStarted(daemon.lastWords(), paths.log);
      // It left the field to another one, which has ended since.
      daemon = undefined;
    }
    if (performance.now() > deadline)
      throw new DaemonNotStarted(`nobody answered within ${START_MS / 1000} s`, paths.log);
    await delay(ASK_AGAIN_MS);
  }
};

const tryStart = async (paths: DaemonPaths, options: StartOptions): Promise<StartedDaemon> => {
  try {
    // Most of the time there is one, and a command is done before this would be loaded.
    const { startDaemon } = await import('./start-daemon.ts');
    return startDaemon(paths, options);
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    // No folder can be made, or no process: the system's own words say which.
    throw new DaemonNotStarted(error instanceof Error ? error.message : String(error), paths.log);
  }
};

/** False where the daemon is ending, or has made way for one of our version. */
const greet = async (
  connection: DaemonConnection,
  { log, lock }: DaemonPaths,
  { onLost, answerMs = START_MS }: ConnectOptions,
): Promise<boolean> => {
  const signal = AbortSignal.timeout(answerMs);
  try {
    const hello = { protocol: PROTOCOL, version: VERSION };
    const { lost } = await connection.request('hello', hello, { signal });
    if (lost.length > 0) onLost?.(lost);
    return true;
  } catch (error) {
    if (signal.aborted) {
      await connection.close();
      throw new DaemonSilent(answerMs, log, lockOwner(lock));
    }
    if (error instanceof DaemonLost || error instanceof DaemonEnding) return false;
    const isIdle = error instanceof OtherVersion && error.details.sessions.length === 0;
    const retired = isIdle && (await connection.request('retire', {})).retired;
    await connection.close();
    if (!retired) throw error;
    return false;
  }
};
