/** Erases old recordings: they are made automatically, so nobody else would. */
import { existsSync, lstatSync, readdirSync, unlinkSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Long enough to look something up after a holiday. */
const MAX_AGE_MS = 30 * 24 * 3_600_000;
/** All recordings together. */
const MAX_TOTAL_BYTES = 2 ** 30;

/** The files of a recording differ in the number before `.cast`: `bash.20261115T051822123.77.2.cast`. */
const FILE_NAME = /^(.+)\.(\d+)\.cast$/;

/** The files of the recording to which this file belongs, in order. Erased ones are missing. */
export const filesOfRecording = (path: string): string[] => {
  const folder = dirname(path);
  const stem = FILE_NAME.exec(basename(path))?.[1];
  if (stem === undefined || !existsSync(folder)) return [];
  return readdirSync(folder)
    .map((name) => FILE_NAME.exec(name))
    .filter((match) => match?.[1] === stem)
    .sort((a, b) => Number(a![2]) - Number(b![2]))
    .map((match) => join(folder, match![0]));
};

/**
 * Erases recordings that are too old, then the oldest ones until the rest is small enough. Returns
 * the erased files. `onError` is called for each file that could not be erased.
 */
export const pruneRecordings = (
  folder: string,
  beingWritten: readonly string[],
  onError: (message: string) => void,
  { maxAgeMs = MAX_AGE_MS, maxTotalBytes = MAX_TOTAL_BYTES } = {},
): string[] => {
  if (!existsSync(folder)) return [];
  const inUse = new Set(beingWritten.flatMap(filesOfRecording));
  const files = readdirSync(folder)
    .filter((name) => FILE_NAME.test(name))
    .map((name) => join(folder, name))
    .map((path) => ({ path, stat: lstatSync(path, { throwIfNoEntry: false }) }))
    .flatMap(({ path, stat }) =>
      stat?.isFile() ? [{ path, bytes: stat.size, modifiedMs: stat.mtimeMs }] : [],
    )
    .sort((a, b) => a.modifiedMs - b.modifiedMs);
  let totalBytes = files.reduce((sum, { bytes }) => sum + bytes, 0);
  const erased: string[] = [];
  for (const { path, bytes, modifiedMs } of files) {
    const isExcess = totalBytes > maxTotalBytes || modifiedMs < Date.now() - maxAgeMs;
    if (!isExcess || inUse.has(path)) continue;
    try {
      unlinkSync(path);
    } catch (error) {
      onError(`the recording ${path} stays: ${(error as Error).message}`);
      continue;
    }
    erased.push(path);
    totalBytes -= bytes;
  }
  return erased;
};
