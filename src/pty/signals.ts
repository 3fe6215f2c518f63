import { constants } from 'node:os';
import { UnknownSignal } from '../errors.ts';

const numbers: Readonly<Record<string, number | undefined>> = constants.signals;

/** `SIGINT` and `INT` alike. */
export const signalNumber = (name: string): number => {
  const upper = name.toUpperCase();
  const number = numbers[upper] ?? numbers[`SIG${upper}`];
  if (number === undefined) throw new UnknownSignal(name);
  return number;
};

/** A real-time signal has no name of its own in Node's table: `SIG34`. */
export const signalName = (number: number): string =>
  Object.keys(numbers).find((name) => numbers[name] === number) ?? `SIG${number}`;
