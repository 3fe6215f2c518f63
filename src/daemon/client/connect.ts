/** Connects to the daemon: starts one if none is running, and sends `hello`. */
import { setTimeout as delay } from 'node:timers/promises';
import {
  DaemonEnding,
  DaemonLost,
  DaemonNotRunning,
  DaemonNotStarted,
  OtherVersion,
  TerminalError,
} from '../../errors.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import type { CallerClaim } from '../../session/caller.ts';
import type { RequestOrigin } from '../../session/options/requests.ts';
import type { SecretSource } from '../../session/secrets/secrets.ts';
import { findLockOwner } from '../../system/files/lock-owner.ts';
import { type DaemonPaths, daemonPaths } from '../protocol/daemon-paths.ts';
import type { FrameFormat } from '../protocol/frames.ts';
import { assertSocketPathLength } from '../protocol/path-ownership.ts';
import {
  type ClientIdentity,
  type JournaledSession,
  type MethodResult,
  PROTOCOLS,
} from '../protocol/protocol.ts';
import type { RequestIds } from '../protocol/request-ids.ts';
import { DaemonConnection, type OnDaemonEvent, type OpenTransport } from './daemon-connection.ts';
import type { DaemonStartProcess, StartDaemonOptions } from './start-daemon.ts';

export interface ConnectOptions extends StartDaemonOptions {
  /** @internal */
  paths?: DaemonPaths;
  /** How messages are sent, the first that the daemon understands. @internal */
  formats?: readonly FrameFormat[];
  /** @internal */
  openTransport?: OpenTransport;
  /** Whose folder and variables programs get, once it is connected. @default this process @internal */
  origin?: () => FarOrigin;
  /** Start a daemon if none is running. @default true */
  start?: boolean;
  /** Where the caller's secrets come from. @default its environment and its files */
  secrets?: SecretSource;
  /** How long a running daemon may be silent while it is asked: it may be stuck. @default 20000 */
  answerMs?: number;
  /** Who connects, and how far its programs may go. @default door `library` */
  caller?: CallerClaim;
  /** Called once with the sessions that were lost when a daemon crashed. */
  onLost?: (lost: readonly JournaledSession[]) => void;
}

/** A process elsewhere, for which requests are made here. @internal */
export interface FarOrigin extends RequestOrigin {
  readonly umask: number;
}

/** A client that goes on after its connection was lost. */
export interface ReturningClient {
  readonly ids: RequestIds;
  /** Called for each `hello`, since it may get further between two of them. */
  identify(): ClientIdentity;
  readonly onEvent: OnDaemonEvent;
  /** It needs no connection any more. */
  readonly signal: AbortSignal;
}

export interface GreetedConnection {
  connection: DaemonConnection;
  hello: MethodResult<'hello'>;
}

/** Node takes 50 ms to start on an idle machine, and seconds on a busy one. */
const START_TIMEOUT_MS = 20_000;
const RETRY_MS = 10;

export const openDaemonConnection = async (
  options: ConnectOptions,
  client: ReturningClient,
): Promise<GreetedConnection> => {
  const { paths = daemonPaths(), start = true, formats = ['binary', 'text'] } = options;
  const { openTransport, answerMs } = options;
  assertSocketPathLength(paths.socket);
  const deadline = performance.now() + START_TIMEOUT_MS;
  let daemon: DaemonStartProcess | undefined;
  let attempts = 0;
  while (true) {
    const connection = await DaemonConnection.open(paths, {
      format: formats[attempts % formats.length]!,
      ids: client.ids,
      onEvent: client.onEvent,
      ...(openTransport && { openTransport }),
      ...(answerMs !== undefined && { answerMs }),
    });
    if (connection !== undefined) {
      const hello = await sayHello(connection, options, client);
      if (hello !== undefined) return { connection, hello };
      // It is ending; or it speaks protocol 1 alone, and closes the connection at a binary frame.
      attempts++;
    } else if (!start) {
      // Otherwise it is only that more clients connect at once than the socket takes.
      if (findLockOwner(paths.lock) === undefined) throw new DaemonNotRunning(paths.socket);
    } else if (daemon === undefined) daemon = await tryStart(paths, options);
    else if (daemon.exitCode !== undefined) {
      if (daemon.exitCode !== 0) throw new DaemonNotStarted(daemon.failureReason(), paths.log);
      // It exited because another daemon was running, which has ended since.
      daemon = undefined;
    }
    if (performance.now() > deadline)
      throw new DaemonNotStarted(`no answer within ${START_TIMEOUT_MS / 1000} s`, paths.log);
    await delay(RETRY_MS, undefined, { signal: client.signal });
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

/** Undefined if the daemon is ending, or has another version and retires so that ours can be started. */
const sayHello = async (
  connection: DaemonConnection,
  { onLost, caller = { door: 'library' } }: ConnectOptions,
  client: ReturningClient,
): Promise<MethodResult<'hello'> | undefined> => {
  try {
    const ours = { protocol: PROTOCOLS.newest, protocols: PROTOCOLS, version: PACKAGE_VERSION };
    const asked = { ...ours, caller, client: client.identify() };
    const hello = await connection.request('hello', asked, { signal: client.signal });
    if (hello.lost.length > 0) onLost?.(hello.lost);
    return hello;
  } catch (error) {
    if (error instanceof DaemonLost || error instanceof DaemonEnding) return undefined;
    const isIdle = error instanceof OtherVersion && error.details.sessions.length === 0;
    const retired = isIdle && (await connection.request('retire', {})).retired;
    await connection.close();
    if (!retired) throw error;
    return undefined;
  }
};
