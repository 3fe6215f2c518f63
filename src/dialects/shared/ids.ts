/** Random ids. Tests pass their own source of random numbers. */
import { randomInt } from 'node:crypto';

/** Returns a number from 0 up to, but not including, 1. */
export type Random = () => number;

const STEPS = 2 ** 32;

export const cryptoRandom: Random = () => randomInt(STEPS) / STEPS;

export const hexId = (digits: number, random: Random): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

/** From `min` to `max`, both included. */
export const randomInteger = (min: number, max: number, random: Random): number =>
  min + Math.floor(random() * (max - min + 1));

/** Makes ids until one is not taken. */
export const unusedId = <Id>(makeId: () => Id, isTaken: (id: Id) => boolean): Id => {
  let id = makeId();
  while (isTaken(id)) id = makeId();
  return id;
};
