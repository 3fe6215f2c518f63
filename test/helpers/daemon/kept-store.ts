import { closeSync, openSync, readdirSync, readlinkSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { STORE_LAYOUT } from '../../../src/keeper/store-layout.ts';
import { keeperOf } from './kill-daemon.ts';
import type { OwnDaemon } from './own-daemon.ts';

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
