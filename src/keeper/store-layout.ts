/**
 * Where things are in the memory of a kept session. All numbers are little-endian.
 *
 * The keeper reads and writes only the three fields at the start. Another layout gets another version:
 * a daemon does not touch a store whose version it does not know.
 */
import { readSync } from 'node:fs';
import type { Exit } from '../system/process/reaper.ts';
import { signalName, signalNumber } from '../system/process/signals.ts';

export const STORE_MAGIC = Buffer.from('repartee');
export const STORE_VERSION = 4;

/** What a terminal gives at most in one read. */
export const READ_BYTES = 4096;
/** There is room for so much, of what pipes give. */
export const MAX_READ_BYTES = 16 * 1024;
/**
 * What is noted until the session has to be written down anew, which takes some milliseconds after a flood,
 * since its whole history is new. A flood fills it three times in a second, and what is in it is parsed in
 * less than half a second. A quiet session touches only its first pages.
 */
export const LOG_BYTES = 8 * 1024 * 1024;

export const STORE_LAYOUT = {
  magic: 0,
  version: 8,
  /** The program's leader. 0 before it is started. */
  pid: 16,
  /** How it ended: see `encodeExit`. 0 while it runs. */
  exit: 20,
  /** How many daemons in a row have died while they worked on the session. */
  deaths: 24,
  /** What is done with the session now: see work-mark.ts. */
  work: 28,
  /** How much output was read after the log was full, and is in no log. */
  missing: 32,
  /** How much is read at once. */
  readBytes: 36,
  /** What whoever still holds it must let go: see `lettingGo`. Stores of older versions have 0 here. */
  lettingGo: 40,
  /** Which base and which log count: the last bit says which of the two. 0: none yet. */
  generation: 64,
  /** For each of the two logs: four times its length, plus a bit for each way of reading (`halves`). */
  logs: 68,
  /** For each way of reading two buffers, read into in turns. The bit says which is next. */
  halves: 4096,
  /** Two logs, one after the other: see log-memory.ts. What is before them is always mapped. */
  log: 4096 + 4 * MAX_READ_BYTES,
  /** What can be mapped ends here. */
  mapped: 4096 + 4 * MAX_READ_BYTES + 2 * LOG_BYTES,
  /** Two bases, far apart: a file takes memory only where it was written. */
  base: 2 ** 30,
  /** One after another: see stored-pages.ts. */
  pages: 3 * 2 ** 30,
} as const;

/**
 * Of the descriptors that are held for a session. It is written before the holder is told, who may be killed
 * or replaced before it hears of it: its successor must not go on with what somebody else has let go.
 */
export const lettingGo = { nothing: 0, second: 1, all: 2 } as const;

const CODE = 0x100;
const SIGNAL = 0x200;
const UNKNOWN = 0x300;

export const encodeExit = ({ code, signal }: Exit): number => {
  if (code !== undefined) return CODE | code;
  return signal === undefined ? UNKNOWN : SIGNAL | signalNumber(signal);
};

export const decodeExit = (encoded: number): Exit | undefined => {
  const kind = encoded & ~0xff;
  if (kind === CODE) return { code: encoded & 0xff };
  if (kind === SIGNAL) return { signal: signalName(encoded & 0xff) };
  return encoded === 0 ? undefined : { isLost: true };
};

/** A field of a store that is not mapped. 0 if it cannot be read. */
export const readStoreNumber = (store: number, offset: number): number => {
  const bytes = Buffer.alloc(4);
  try {
    readSync(store, bytes, 0, 4, offset);
  } catch {
    // It is no store. All its fields are 0 at first.
  }
  return bytes.readInt32LE();
};
