/** A daemon with a keeper, for tests that kill it. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  readSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { STORE_LAYOUT } from '../../../src/keeper/store-layout.ts';
import { readProcessStat } from '../../../src/system/proc/process-stat.ts';
import { until } from '../until.ts';
import { type OwnDaemon, ownDaemon } from './own-daemon.ts';
import { isAlive } from './processes.ts';

export const killDaemon = async (daemon: OwnDaemon): Promise<void> => {
  const pid = await daemon.pid();
  process.kill(pid, 'SIGKILL');
  await until('the daemon is dead', () => !isAlive(pid));
};

export const connectKept = async () => {
  const daemon = ownDaemon();
  const connect = () => daemon.connect({ keeper: true });
  onTestFinished(async ({ task }) => {
    if (task.result?.state === 'fail') console.log(readFileSync(daemon.paths.log, 'utf8'));
  });
  return { daemon, connect, sessions: await connect() };
};

export const keeperOf = async (daemon: OwnDaemon): Promise<number> =>
  readProcessStat(await daemon.pid())!.parent;

/** Writes into the memory of a session, as its keeper holds it. Only root can look into the keeper. */
export const damageStoreOf = async (
  daemon: OwnDaemon,
  program: number,
  offset: number,
  bytes: readonly number[],
): Promise<void> => {
  const store = await openStoreOf(daemon, program);
  writeSync(store, Buffer.from(bytes), 0, bytes.length, offset);
};

const openStoreOf = async (daemon: OwnDaemon, program: number): Promise<number> => {
  const folder = `/proc/${await keeperOf(daemon)}/fd`;
  for (const name of readdirSync(folder)) {
    if (!readlinkSync(join(folder, name)).includes('repartee-session')) continue;
    const fd = openSync(join(folder, name), 'r+');
    onTestFinished(() => closeSync(fd));
    const pid = Buffer.alloc(4);
    readSync(fd, pid, 0, 4, STORE_LAYOUT.pid);
    if (pid.readInt32LE() === program) return fd;
  }
  throw new Error(`no memory of ${program}`);
};
