/** Connects commands to the sessions of the user's daemon. */
import { existsSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonConnection } from '../daemon/client/daemon-connection.ts';
import { connectDaemon, DaemonSessions } from '../daemon/client/daemon-sessions.ts';
import { daemonPaths } from '../daemon/protocol/daemon-paths.ts';
import { isNewerVersion } from '../daemon/protocol/newer-version.ts';
import type {
  DaemonStatus,
  JournaledSession,
  MethodParams,
  MethodResult,
} from '../daemon/protocol/protocol.ts';
import { DaemonLost, DaemonNotRunning, RestartRefused, SessionNotFound } from '../errors.ts';
import type { HostedSessions } from '../hosts/hosted-sessions.ts';
import { isOnHost } from '../hosts/session-address.ts';
import { PACKAGE_VERSION } from '../package-version.ts';
import type { SandboxOptions } from '../session/confinement.ts';
import type { CallOptions, Sessions } from '../session/sessions.ts';
import { printRemark } from './output/print-result.ts';
import { startSpinner } from './output/spinner.ts';

type UseSessions<T> = (sessions: DaemonSessions) => Promise<T>;
/** A session may be on a host. */
type UseAnySessions<T> = (sessions: Sessions) => Promise<T>;

/** For a command that opens sessions: starts a daemon if none runs. */
export const withStartedDaemon = <T>(
  use: UseSessions<T>,
  sandbox: SandboxOptions = {},
): Promise<T> => withConnection(true, use, sandbox);

/** For a command that opens sessions on a host, if one is named. */
export const withStartedDaemonAt = <T>(
  host: string | undefined,
  use: UseAnySessions<T>,
  sandbox: SandboxOptions = {},
): Promise<T> => (host === undefined ? withStartedDaemon(use, sandbox) : withHostsOfUser(use));

/** For a command about one session: throws if no daemon runs. */
export const withDaemonOfSession = <T>(name: string, use: UseAnySessions<T>): Promise<T> =>
  isOnHost(name) ? withHostsOfUser(use) : withLocalDaemonOf(name, use);

export const withLocalDaemonOf = <T>(name: string, use: UseSessions<T>): Promise<T> =>
  withDaemonOrElse(use, () => {
    throw new SessionNotFound(name, []);
  });

/** This machine is connected to only if one of its sessions is meant. */
export const withHostsOfUser = async <T>(
  use: (sessions: HostedSessions) => Promise<T>,
  mayAsk = process.stdin.isTTY === true,
): Promise<T> => {
  const { withHosts } = await import('../hosts/with-hosts.ts');
  const caller = { door: 'cli' } as const;
  const local = new DaemonSessions({ start: false, caller });
  const sessions = withHosts(local, { caller, mayAsk, inPlace: true })!;
  try {
    return await use(sessions);
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
};

/** For a command about all sessions: returns undefined if no daemon runs. */
export const withRunningDaemon = <T>(use: UseSessions<T>): Promise<T | undefined> =>
  withDaemonOrElse(use, () => undefined);

/**
 * Starts no daemon, since a new one would have no sessions. Except when the last one was killed: then
 * its list of sessions is still there, and a new daemon says which were lost.
 */
const withDaemonOrElse = async <T, Otherwise>(
  use: UseSessions<T>,
  otherwise: () => Otherwise,
): Promise<T | Otherwise> => {
  try {
    return await withConnection(existsSync(daemonPaths().journal), use);
  } catch (error) {
    if (!(error instanceof DaemonNotRunning)) throw error;
    printIgnoredRuntimeDir();
    return otherwise();
  }
};

const withConnection = async <T>(
  start: boolean,
  use: UseSessions<T>,
  sandbox: SandboxOptions = {},
): Promise<T> => {
  const caller = { door: 'cli', sandbox } as const;
  const sessions = await connectDaemon({ start, caller, onLost: printLostSessions });
  try {
    return await use(sessions);
  } catch (error) {
    if (error instanceof SessionNotFound) await printOtherDaemonsThan(sessions);
    throw error;
  } finally {
    await sessions[Symbol.asyncDispose]();
  }
};

/** Where a user has two daemons, the session that is looked for may be in the other one. */
export const printOtherDaemonsThan = async (sessions: DaemonSessions): Promise<void> => {
  const { printOtherDaemons } = await import('./other-daemons.ts');
  await printOtherDaemons(await sessions.daemonPid());
};

/** Works with a daemon of any version. Returns undefined if none runs. */
export const daemonStatus = () => requestOfAnyVersion('status', {});

/** Works with a daemon of any version. Returns undefined if none runs. */
export const stopDaemon = () => requestOfAnyVersion('stop', {});

/** Whether `repartee daemon restart` would bring this version, which is newer than the daemon's. */
export const canUpgrade = ({ version, kept = false }: DaemonStatus): boolean =>
  kept && isNewerVersion(PACKAGE_VERSION, version);

/** It has sessions to go on with, and the machine may be busy. */
const RESTART_TIMEOUT_MS = 60_000;
const RETRY_MS = 20;

/** Returns the status before and after it, or undefined if none runs. Throws if it was not restarted. */
export const restartDaemon = async (): Promise<
  { before: DaemonStatus; after: DaemonStatus } | undefined
> => {
  const before = await daemonStatus();
  if (before === undefined) return undefined;
  // An older version does not know the request.
  if (!before.kept) throw RestartRefused.withoutKeeper(before.version);
  const { DAEMON_PROGRAM } = await import('../daemon/client/start-daemon.ts');
  const asking = { version: PACKAGE_VERSION, path: DAEMON_PROGRAM };
  // It may be gone before its answer has arrived.
  await unlessLost(requestOfAnyVersion('restart', asking));
  const deadline = performance.now() + RESTART_TIMEOUT_MS;
  while (performance.now() < deadline) {
    const after = await unlessLost(daemonStatus());
    if (after?.startedAt === before.startedAt)
      throw new RestartRefused(`its program could not be executed; see ${daemonPaths().log}`);
    if (after !== undefined) return { before, after };
    await delay(RETRY_MS);
  }
  throw new DaemonLost(daemonPaths().log);
};

const unlessLost = async <T>(request: Promise<T>): Promise<T | undefined> => {
  try {
    return await request;
  } catch (error) {
    if (error instanceof DaemonLost) return undefined;
    throw error;
  }
};

const requestOfAnyVersion = async <M extends 'status' | 'stop' | 'restart'>(
  method: M,
  params: MethodParams<M>,
): Promise<MethodResult<M> | undefined> => {
  const connection = await DaemonConnection.open(daemonPaths());
  if (connection === undefined) return undefined;
  try {
    return await connection.request(method, params);
  } finally {
    await connection.close();
  }
};

/** After `su`, XDG_RUNTIME_DIR still names the other user's folder, and their sessions are not found. */
export const printIgnoredRuntimeDir = (): void => {
  const { ignoredRuntimeDir: passedOver, runtimeFolder } = daemonPaths();
  if (passedOver === undefined) return;
  printRemark(
    `[XDG_RUNTIME_DIR is ${passedOver.path}, which ${passedOver.reason}: sessions were looked for in ${runtimeFolder}]`,
  );
};

/** Shows a spinner on a person's terminal while a call waits. */
export const withSpinner = async <T>(
  label: string,
  run: (options: Pick<CallOptions, 'onProgress'>) => Promise<T>,
): Promise<T> => {
  const spinner = startSpinner(label);
  try {
    return await run(process.stderr.isTTY ? { onProgress: spinner.onProgress } : {});
  } finally {
    spinner.stop();
  }
};

const printLostSessions = (lost: readonly JournaledSession[]): void => {
  const names = lost.map(({ name, recording, reason }) => {
    const known = [recording, reason].filter((each) => each !== undefined);
    return known.length > 0 ? `${name} (${known.join('; ')})` : name;
  });
  console.error(`[lost, since the daemon was killed: ${names.join(', ')}]`);
};
