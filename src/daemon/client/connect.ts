/** Connects to the daemon: starts one if none is running, and sends `hello`. */
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
import { PACKAGE_VERSION } from '../../package-version.ts';
import type { CallerClaim } from '../../session/caller.ts';
import type { SecretSource } from '../../session/secrets/secrets.ts';
import { findLockOwner } from '../../system/files/lock-owner.ts';
import { type DaemonPaths, daemonPaths } from '../protocol/daemon-paths.ts';
import type { FrameFormat } from '../protocol/frames.ts';
import { assertSocketPathLength } from '../protocol/path-ownership.ts';
import { type JournaledSession, PROTOCOLS } from '../protocol/protocol.ts';
import { DaemonConnection } from './daemon-connection.ts';
import type { DaemonStartProcess, StartDaemonOptions } from './start-daemon.ts';

export interface ConnectOptions extends StartDaemonOptions {
  /** @internal */
  paths?: DaemonPaths;
  /** Start a daemon if none is running. @default true */
  start?: boolean;
  /** Where the caller's secrets come from. @default its environment and its files */
  secrets?: SecretSource;
  /** How long to wait for a running daemon to answer: it may be stopped, or stuck. @default 20000 */
  answerMs?: number;
  /** Who connects. @default door `library` */
  caller?: CallerClaim;
  /** Called once with the sessions that were lost when a daemon crashed. */
  onLost?: (lost: readonly JournaledSession[]) => void;
}

/** Node takes 50 ms to start on an idle machine, and seconds on a busy one. */
const START_TIMEOUT_MS = 20_000;
const RETRY_MS = 10;

export const openDaemonConnection = async (
  options: ConnectOptions = {},
): Promise<DaemonConnection> => {
  const { paths = daemonPaths(), start = true } = options;
  assertSocketPathLength(paths.socket);
  const deadline = performance.now() + START_TIMEOUT_MS;
  let daemon: DaemonStartProcess | undefined;
  let format: FrameFormat = 'binary';
  while (true) {
    const connection = await DaemonConnection.open(paths, format);
    if (connection !== undefined) {
      if (await sayHello(connection, paths, options)) return connection;
      // It is ending; or it speaks protocol 1 alone, and closes the connection at a binary frame.
      format = format === 'binary' ? 'text' : 'binary';
    } else if (!start) throw new DaemonNotRunning(paths.socket);
    else if (daemon === undefined) daemon = await tryStart(paths, options);
    else if (daemon.exitCode !== undefined) {
      if (daemon.exitCode !== 0) throw new DaemonNotStarted(daemon.failureReason(), paths.log);
      // It exited because another daemon was running, which has ended since.
      daemon = undefined;
    }
    if (performance.now() > deadline)
      throw new DaemonNotStarted(`no answer within ${START_TIMEOUT_MS / 1000} s`, paths.log);
    await delay(RETRY_MS);
  }
};

const tryStart = async (
  paths: DaemonPaths,
  options: StartDaemonOptions,
): Promise<DaemonStartProcess> => {
  try {
    // Loaded only when needed: usually a daemon runs, and a command is done before this is loaded.
    const { startDaemon } = await import('./start-daemon.ts');
    return startDaemon(paths, options);
  } catch (error) {
    if (error instanceof TerminalError) throw error;
    // A folder or the process could not be created. The system's message says which.
    throw new DaemonNotStarted(error instanceof Error ? error.message : String(error), paths.log);
  }
};

/** False if the daemon is ending, or has another version and retires so that ours can be started. */
const sayHello = async (
  connection: DaemonConnection,
  { log, lock }: DaemonPaths,
  { onLost, answerMs = START_TIMEOUT_MS, caller = { door: 'library' } }: ConnectOptions,
): Promise<boolean> => {
  const signal = AbortSignal.timeout(answerMs);
  try {
    const { newest: protocol } = PROTOCOLS;
    const hello = { protocol, protocols: PROTOCOLS, version: PACKAGE_VERSION, caller };
    const { lost, caller: known } = await connection.request('hello', hello, { signal });
    connection.caller = known;
    if (lost.length > 0) onLost?.(lost);
    return true;
  } catch (error) {
    if (signal.aborted) {
      await connection.close();
      throw new DaemonSilent(answerMs, log, findLockOwner(lock));
    }
    if (error instanceof DaemonLost || error instanceof DaemonEnding) return false;
    const isIdle = error instanceof OtherVersion && error.details.sessions.length === 0;
    const retired = isIdle && (await connection.request('retire', {})).retired;
    await connection.close();
    if (!retired) throw error;
    return false;
  }
};
