/** The command line's way to sessions: those of the user's daemon. */
import { existsSync } from 'node:fs';
import { DaemonConnection } from '../daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../daemon/client/daemon-sessions.ts';
import { daemonPaths } from '../daemon/protocol/daemon-paths.ts';
import type { SessionEntry } from '../daemon/protocol/protocol.ts';
import { DaemonNotRunning, DaemonSilent, SessionNotFound } from '../errors.ts';
import type { CallOptions } from '../session/sessions.ts';
import { lockOwner } from '../system/files/lock-owner.ts';
import { printRemark } from './output/print-result.ts';
import { startSpinner } from './output/spinner.ts';

/** For a command that opens sessions: a daemon is started where there is none. */
export const withDaemon = <T>(act: (sessions: DaemonSessions) => Promise<T>): Promise<T> =>
  connected(true, act);

/**
 * For a command about a session that is there: where no daemon runs there is none, and none is
 * started. Unless one was killed: its list of sessions is left, and a new daemon tells what was lost.
 */
export const withSession = <T>(
  name: string,
  act: (sessions: DaemonSessions) => Promise<T>,
): Promise<T> =>
  ifThere(act, () => {
    throw new SessionNotFound(name, []);
  });

/** For a command about whatever is there; undefined where no daemon runs. */
export const withSessions = <T>(
  act: (sessions: DaemonSessions) => Promise<T>,
): Promise<T | undefined> => ifThere(act, () => undefined);

const ifThere = async <T, Otherwise>(
  act: (sessions: DaemonSessions) => Promise<T>,
  otherwise: () => Otherwise,
): Promise<T | Otherwise> => {
  try {
    return await connected(existsSync(daemonPaths().journal), act);
  } catch (error) {
    if (!(error instanceof DaemonNotRunning)) throw error;
    remarkPassedOver();
    return otherwise();
  }
};

/** One that is stopped never answers. */
const STATUS_MS = 20_000;
/** Sessions may take their time to end. */
const STOP_MS = 60_000;

/** Also of a daemon of another version; undefined where none runs. */
export const daemonStatus = () =>
  asked(STATUS_MS, (connection, call) => connection.request('status', {}, call));

/** Likewise. */
export const stopDaemon = () =>
  asked(STOP_MS, (connection, call) => connection.request('stop', {}, call));

const asked = async <T>(
  withinMs: number,
  ask: (connection: DaemonConnection, call: CallOptions) => Promise<T>,
): Promise<T | undefined> => {
  const paths = daemonPaths();
  const connection = await DaemonConnection.open(paths);
  if (connection === undefined) return undefined;
  const signal = AbortSignal.timeout(withinMs);
  try {
    return await ask(connection, { signal });
  } catch (error) {
    throw signal.aborted ? new DaemonSilent(withinMs, paths.log, lockOwner(paths.lock)) : error;
  } finally {
    await connection.close();
  }
};

/** Whoever has just become another user looks for sessions that were somebody else's. */
export const remarkPassedOver = (): void => {
  const { passedOver, runtimeFolder } = daemonPaths();
  if (passedOver === undefined) return;
  printRemark(
    `[XDG_RUNTIME_DIR is ${passedOver.path}, which ${passedOver.reason}: sessions were looked for in ${runtimeFolder}]`,
  );
};

/** While this waits, a person sees for what. */
export const withSpinner = async <T>(
  what: string,
  ask: (call: Pick<CallOptions, 'onProgress'>) => Promise<T>,
): Promise<T> => {
  const spinner = startSpinner(what);
  try {
    return await ask(process.stderr.isTTY ? { onProgress: spinner.onProgress } : {});
  } finally {
    spinner.stop();
  }
};

const connected = async <T>(
  start: boolean,
  act: (sessions: DaemonSessions) => Promise<T>,
): Promise<T> => {
  const sessions = await connectDaemon({ start, onLost: remarkLost });
  try {
    return await act(sessions);
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
};

const remarkLost = (lost: readonly SessionEntry[]): void => {
  const names = lost.map(({ name, recording }) => (recording ? `${name} (${recording})` : name));
  console.error(`[lost, since the daemon was killed: ${names.join(', ')}]`);
};
