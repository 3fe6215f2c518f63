/** Numbers from 0 to below 1, by which ids are made; tests bring their own. */
import { randomInt } from 'node:crypto';

export type Random = () => number;

const STEPS = 2 ** 32;

export const cryptoRandom: Random = () => randomInt(STEPS) / STEPS;

export const hexId = (digits: number, random: Random): string =>
  Array.from({ length: digits }, () => Math.floor(random() * 16).toString(16)).join('');

/** From `least` to `most`, both included. */
export const randomInteger = (least: number, most: number, random: Random): number =>
  least + Math.floor(random() * (most - least + 1));

/** One that is not taken. */
export const unusedId = <Id>(make: () => Id, isTaken: (id: Id) => boolean): Id => {
  let id = make();
  while (isTaken(id)) id = make();
  return id;
};
