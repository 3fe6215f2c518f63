/** A daemon with a keeper, for tests that kill it. */
import { closeSync, openSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConnectOptions } from '../../../src/daemon/client/connect.ts';
import type { DaemonSessions } from '../../../src/daemon/client/daemon-sessions.ts';
import { STORE_LAYOUT } from '../../../src/keeper/store-layout.ts';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { until } from '../until.ts';
import { type OwnDaemon, ownDaemon } from './own-daemon.ts';
import { isAlive } from './processes.ts';

export interface KeptDaemonOfTest {
  daemon: OwnDaemon;
  connect(): Promise<DaemonSessions>;
  sessions: DaemonSessions;
}

export const connectKept = async (
  options: Partial<ConnectOptions> = {},
): Promise<KeptDaemonOfTest> => {
  const daemon = ownDaemon();
  const connect = () => daemon.connect({ keeper: true, ...options });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
  });
  return { daemon, connect, sessions: await connect() };
};

export const killDaemon = async (daemon: OwnDaemon): Promise<void> => {
  const pid = await daemon.pid();
  process.kill(pid, 'SIGKILL');
  await until('the daemon is dead', () => !isAlive(pid));
};

export const keeperOf = async (daemon: OwnDaemon): Promise<number> =>
  readProcessStat(await daemon.pid())!.parent;

/** The memory of a session, as its keeper holds it. Only root can look into the keeper. */
export const openStoreOf = async (daemon: OwnDaemon, program: number): Promise<number> => {
  const folder = `/proc/${await keeperOf(daemon)}/fd`;
  for (const name of readdirSync(folder)) {
    if (!readlinkSync(join(folder, name)).includes('repartee-session')) continue;
    const fd = openSync(join(folder, name), 'r+');
    if (readWord(fd, STORE_LAYOUT.pid) === program) {
      onTestFinished(() => closeSync(fd));
      return fd;
    }
    closeSync(fd);
  }
  throw new Error(`no memory of ${program}`);
};

/** A number in a store. */
export const readWord = (store: number, offset: number): number => {
  readSync(store, word, 0, 4, offset);
  return word.readInt32LE();
};

const word = Buffer.alloc(4);
