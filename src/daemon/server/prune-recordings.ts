/** Keeps the folder of recordings within bounds: nobody looks after what is written by itself. */
import { existsSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Long enough to look something up after the holidays. */
const OLDEST_MS = 30 * 24 * 3_600_000;
/** Of all recordings together. */
const MOST_BYTES = 2 ** 30;

/** Names of one recording differ in the number before `.cast`: `bash.20261115T051822123.77.2.cast`. */
const NAME = /^(.+)\.(\d+)\.cast$/;

/** The files of the recording that this file is part of, in order, as far as they are still there. */
export const partsOf = (path: string): string[] => {
  const folder = dirname(path);
  const stem = NAME.exec(basename(path))?.[1];
  if (stem === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => NAME.exec(name))
    .filter((found) => found?.[1] === stem)
    .sort((a, b) => Number(a![2]) - Number(b![2]))
    .map((found) => join(folder, found![0]));
};

/**
 * Erases what is too old, then the oldest until the rest is not too much. Returns what is gone;
 * `trouble` is told of what could not be erased.
 */
export const pruneRecordings = (
  folder: string,
  beingWritten: readonly string[],
  trouble: (message: string) => void,
  { oldestMs = OLDEST_MS, mostBytes = MOST_BYTES } = {},
): string[] => {
  if (!existsSync(folder)) return [];
  const kept = new Set(beingWritten.flatMap(partsOf));
  const files = readdirSync(folder)
    .filter((name) => NAME.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, stat: lstatSync(path, { throwIfNoEntry: false }) }))
    .flatMap(({ path, stat }) =>
      stat?.isFile() ? [{ path, bytes: stat.size, atMs: stat.mtimeMs }] : [],
    )
    .sort((a, b) => a.atMs - b.atMs);
  let total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const gone: string[] = [];
  for (const { path, bytes, atMs } of files) {
    const isTooMuch = total > mostBytes || atMs < Date.now() - oldestMs;
    if (!isTooMuch || kept.has(path)) continue;
    try {
      unlinkSync(path);
    } catch (error) {
      trouble(`the recording ${path} stays: ${(error as Error).message}`);
      continue;
    }
    gone.push(path);
    total -= bytes;
  }
  return gone;
};
