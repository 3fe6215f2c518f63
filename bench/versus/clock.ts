/**
 * One clock for the caller and for the programs that say when they were ready.
 *
 * Programs write the time of day, since every shell can; the caller measures with the monotonic
 * clock. The distance of the two is measured whenever it is needed: it may move while we run.
 */
import { existsSync, readFileSync } from 'node:fs';

export const now = (): number => Number(process.hrtime.bigint()) / 1e6;

export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

/** Whoever is put aside between two looks measures too little, never too much. */
const LOOKS = 5;

const distance = (): number => Math.max(...Array.from({ length: LOOKS }, distanceOnce));

/** To less than 0.1 ms: the time of day is looked at until its millisecond changes. */
const distanceOnce = (): number => {
  const before = Date.now();
  let after = before;
  while (after === before) after = Date.now();
  return after - now();
};

/** The moments that a program wrote to a file, in ms of the monotonic clock. */
export const stamps = (file: string): number[] => {
  if (!existsSync(file)) return [];
  const toMonotonic = distance();
  const lines = readFileSync(file, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => Number(line) * 1000 - toMonotonic);
};
