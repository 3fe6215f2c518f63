/** A daemon for one test, in its own folders. It is gone when the test is over. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../../src/daemon/client/connect.ts';
import { DaemonConnection } from '../../../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { isDaemonListening, isListeningInState } from '../../../src/daemon/client/find-daemon.ts';
import { startDaemon } from '../../../src/daemon/client/start-daemon.ts';
import { type DaemonPaths, daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import type { DaemonStatus } from '../../../src/daemon/protocol/protocol.ts';
import { findLockOwner } from '../../../src/system/files/lock-owner.ts';
import { until } from '../until.ts';
import { isAlive, processesWith } from './processes.ts';

/** The built daemon. */
export const DAEMON_PROGRAM = join(import.meta.dirname, '../../../dist/daemon/server/main.js');

export const KEEPER_PROGRAM = join(import.meta.dirname, '../../../dist/keeper/main.js');

/** How long a daemon may take to end its sessions. */
const END_TIMEOUT_MS = 4000;

export interface OwnDaemon {
  folder: string;
  paths: DaemonPaths;
  /** The environment variables with which a process finds this daemon. */
  env: Record<string, string>;
  connect(options?: Partial<ConnectOptions>): Promise<DaemonSessions>;
  /** Starts it without a client. Returns its pid. */
  start(): Promise<number>;
  status(): Promise<DaemonStatus>;
  /** The pid of the daemon that runs now. */
  pid(): Promise<number>;
  end(): Promise<void>;
}

export interface OwnDaemonOptions {
  /** Below its folder. @default the folder itself */
  runtime?: string;
  /** Below its folder. @default 'state' */
  state?: string;
}

/** The caller must call `end`. */
export const makeDaemon = ({ runtime = '', state = 'state' }: OwnDaemonOptions = {}): OwnDaemon => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  const runtimeDir = join(folder, runtime);
  mkdirSync(runtimeDir, { recursive: true, mode: 0o700 });
  const env = {
    XDG_RUNTIME_DIR: runtimeDir,
    XDG_STATE_HOME: join(folder, state),
    XDG_CONFIG_HOME: join(folder, 'config'),
    REPARTEE_SOCKET: '',
  };
  const paths = daemonPaths(env);
  const status = async () => {
    const connection = (await DaemonConnection.open(paths))!;
    try {
      return await connection.request('status', {});
    } finally {
      await connection.close();
    }
  };
  return {
    folder,
    paths,
    env,
    connect: (options = {}) =>
      connectDaemon({
        paths,
        program: DAEMON_PROGRAM,
        keeper: KEEPER_PROGRAM,
        env: { ...process.env, ...env },
        ...options,
      }),
    start: async () => {
      startDaemon(paths, {
        program: DAEMON_PROGRAM,
        keeper: KEEPER_PROGRAM,
        env: { ...process.env, ...env },
      });
      await until('the daemon answers', () => isDaemonListening(paths));
      return (await status()).pid;
    },
    status,
    pid: async () => (await status()).pid,
    end: async () => {
      // Found by their environment: the socket may have moved, and there may be more than one daemon.
      const found = processesWith(`XDG_RUNTIME_DIR=${runtimeDir}`);
      // A keeper and its daemon show their environment to root alone.
      const owner = findLockOwner(paths.lock);
      const seen = [...new Set([...found, ...(owner === undefined ? [] : [owner])])];
      const asked = async () => (await isListeningInState(paths)) && [(await status()).pid];
      const pids = seen.length > 0 ? seen : (await asked()) || [];
      // SIGTERM first: a killed daemon leaves its temporary files behind.
      for (const pid of pids) signal(pid, 'SIGTERM');
      const deadline = performance.now() + END_TIMEOUT_MS;
      await until('the daemon is gone', () => {
        const alive = pids.filter(isAlive);
        if (performance.now() > deadline) for (const pid of alive) signal(pid, 'SIGKILL');
        return alive.length === 0;
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** The sessions end with their daemon, so a process may be gone before it is signalled. */
const signal = (pid: number, name: NodeJS.Signals): void => {
  try {
    process.kill(pid, name);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

export const ownDaemon = (options: OwnDaemonOptions = {}): OwnDaemon => {
  const daemon = makeDaemon(options);
  onTestFinished(() => daemon.end());
  return daemon;
};
