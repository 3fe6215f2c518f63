import { closeSync, openSync, readdirSync, readlinkSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { STORE_LAYOUT } from '../../../src/keeper/store-layout.ts';
import { until } from '../until.ts';
import { keeperOf } from './kill-daemon.ts';
import type { OwnDaemon } from './own-daemon.ts';

/** The memory of a session, as its keeper holds it. Only root can look into the keeper. */
export const openStoreOf = async (daemon: OwnDaemon, program: number): Promise<number> => {
  const folder = `/proc/${await keeperOf(daemon)}/fd`;
  let store: number | undefined;
  // The keeper is told at once, and looks a moment later.
  await until(`the keeper holds ${program}`, () => {
    store = findStore(folder, program);
    return store !== undefined;
  });
  onTestFinished(() => closeSync(store!));
  return store!;
};

const findStore = (folder: string, program: number): number | undefined => {
  for (const name of readdirSync(folder)) {
    if (!readlinkSync(join(folder, name)).includes('repartee-session')) continue;
    const fd = openSync(join(folder, name), 'r+');
    if (readWord(fd, STORE_LAYOUT.pid) === program) return fd;
    closeSync(fd);
  }
  return undefined;
};

export const damageStoreOf = async (
  daemon: OwnDaemon,
  program: number,
  offset: number,
  bytes: readonly number[],
): Promise<void> => {
  const store = await openStoreOf(daemon, program);
  writeSync(store, Buffer.from(bytes), 0, bytes.length, offset);
};

/** A number in a store. */
export const readWord = (store: number, offset: number): number => {
  readSync(store, word, 0, 4, offset);
  return word.readInt32LE();
};

const word = Buffer.alloc(4);
