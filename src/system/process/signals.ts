/** Names and numbers of signals, and sending them. */
import { constants } from 'node:os';
import { SignalNotPermitted, UnknownSignal } from '../../errors.ts';

const numbers: Readonly<Record<string, number | undefined>> = constants.signals;

/** Accepts `SIGINT` and `INT`, in any case. */
export const signalNumber = (name: string): number => {
  const upper = name.toUpperCase();
  const number = numbers[upper] ?? numbers[`SIG${upper}`] ?? realTimeSignal(upper);
  if (number === undefined) throw new UnknownSignal(name);
  return number;
};

/** Node's table has no names for real-time signals. We call them SIG34 to SIG64. */
const realTimeSignal = (name: string): number | undefined => {
  const number = Number(/^SIG(\d\d)$/.exec(name)?.[1]);
  return number >= 34 && number <= 64 ? number : undefined;
};

export const signalName = (number: number): string =>
  Object.keys(numbers).find((name) => numbers[name] === number) ?? `SIG${number}`;

/** A negative pid means a process group. Throws only if we may signal none of the processes. */
export const sendSignal = (name: string, pids: readonly number[]): void => {
  const signal = signalNumber(name);
  const refused = pids.filter((pid) => {
    try {
      process.kill(pid, signal);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  });
  if (refused.length > 0 && refused.length === pids.length) {
    throw new SignalNotPermitted(name, refused);
  }
};
