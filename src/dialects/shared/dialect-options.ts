/** What all four dialects can be told, beside limits of their own. */
import { type Clock, systemClock } from './clock.ts';
import { cryptoRandom, type Random } from './ids.ts';

export interface DialectOptions {
  /** Every wait takes its whole time, even if the program waits for input. @default false */
  strictWaits?: boolean;
  /** @default the system's */
  clock?: Clock;
  /** Where ids come from. @default unpredictable numbers */
  random?: Random;
}

export const commonDefaults: Required<DialectOptions> = {
  strictWaits: false,
  clock: systemClock,
  random: cryptoRandom,
};

/** The defaults, with what was given instead of them. */
export const withOptions = <Options extends object>(
  defaults: Required<Options>,
  given: Options,
): Required<Options> => {
  const set = Object.entries(given).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(set) };
};
