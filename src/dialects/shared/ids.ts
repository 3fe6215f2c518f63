/** Random ids. Tests pass their own source of random numbers. */
import { randomInt } from 'node:crypto';

/** Returns a number from 0 up to, but not including, 1. */
export type RandomSource = () => number;

const STEPS = 2 ** 32;

export const cryptoRandom: RandomSource = () => randomInt(STEPS) / STEPS;

export const randomHexId = (digits: number, random: RandomSource): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

/** From `min` to `max`, both included. */
export const randomInteger = (min: number, max: number, random: RandomSource): number =>
  min + Math.floor(random() * (max - min + 1));

/** Makes ids until one is not taken. */
export const createUnusedId = <Id>(makeId: () => Id, isTaken: (id: Id) => boolean): Id => {
  let id = makeId();
  while (isTaken(id)) id = makeId();
  return id;
};
