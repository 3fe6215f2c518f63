/** A daemon of the test's own: in folders of its own, and gone when the test is over. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../../src/daemon/client/connect.ts';
import {
  DaemonConnection,
  isDaemonListening,
} from '../../../src/daemon/client/daemon-connection.ts';
import { connectDaemon, type DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { startDaemon } from '../../../src/daemon/client/start-daemon.ts';
import { type DaemonPaths, daemonPaths } from '../../../src/daemon/protocol/daemon-paths.ts';
import type { DaemonStatus } from '../../../src/daemon/protocol/protocol.ts';
import { until } from '../until.ts';
import { isAlive, processesWith } from './processes.ts';

/** The daemon runs as built. */
const PROGRAM = join(import.meta.dirname, '../../../dist/daemon/server/main.js');

/** For a daemon to end its sessions. */
const PATIENCE_MS = 4000;

export interface OwnDaemon {
  folder: string;
  paths: DaemonPaths;
  /** The variables by which any process finds this daemon. */
  env: Record<string, string>;
  connect(options?: Partial<ConnectOptions>): Promise<DaemonSessions>;
  /** Starts it without a client; returns its process. */
  start(): Promise<number>;
  status(): Promise<DaemonStatus>;
  /** Of the daemon that runs now. */
  pid(): Promise<number>;
  end(): Promise<void>;
}

/** Whoever makes one ends it. */
export const makeDaemon = (): OwnDaemon => {
  const folder = mkdtempSync(join(tmpdir(), 'repartee-'));
  const env = {
    XDG_RUNTIME_DIR: folder,
    XDG_STATE_HOME: join(folder, 'state'),
    XDG_CONFIG_HOME: join(folder, 'config'),
    REPARTEE_SOCKET: '',
  };
  const where = daemonPaths(env);
  const ask = async () => {
    const link = await DaemonConnection.open(where);
    try {
      return link && (await link.request('status', {}));
    } finally {
      await link?.close();
    }
  };
  return {
    folder,
    paths: where,
    env,
    connect: (options = {}) =>
      connectDaemon({
        paths: where,
        program: PROGRAM,
        env: { ...process.env, ...env },
        ...options,
      }),
    start: async () => {
      startDaemon(where, { program: PROGRAM, env: { ...process.env, ...env } });
      await until('the daemon answers', () => isDaemonListening(where));
      return (await ask())!.pid;
    },
    status: async () => (await ask())!,
    pid: async () => (await ask())!.pid,
    end: async () => {
      // By their environment: its socket may not be where it was, nor the daemon be the only one.
      const pids = processesWith(`XDG_RUNTIME_DIR=${folder}`);
      // In good order first: what is killed leaves its temporary files.
      for (const pid of pids) end(pid, 'SIGTERM');
      const told = performance.now();
      await until('the daemon is gone', () => {
        const left = pids.filter(isAlive);
        if (performance.now() - told > PATIENCE_MS) for (const pid of left) end(pid, 'SIGKILL');
        return left.length === 0;
      });
      rmSync(folder, { recursive: true, force: true });
    },
  };
};

/** With a daemon its sessions end, one after another, also between a look and a signal. */
const end = (pid: number, signal: NodeJS.Signals): void => {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
};

export const ownDaemon = (): OwnDaemon => {
  const daemon = makeDaemon();
  onTestFinished(() => daemon.end());
  return daemon;
};
