/** The options that all four dialects have in common. Each adds its own limits. */
import type { SandboxOptions } from '../../session/confinement.ts';
import type { Gate } from '../../session/input/gate.ts';
import { type Clock, systemClock } from './clock.ts';
import { cryptoRandom, type RandomSource } from './ids.ts';

export interface DialectOptions {
  /** Every wait takes its full time, even if the program already waits for input. @default false */
  strictWaits?: boolean;
  /** Confines the programs of all sessions. @default no sandbox */
  sandbox?: SandboxOptions;
  /** Asked before a program is started and before anything is typed. @default everything is @internal */
  gate?: Gate | undefined;
  /** @default the system clock */
  clock?: Clock;
  /** The source of ids. @default unpredictable numbers */
  random?: RandomSource;
}

export const commonDialectDefaults: Required<DialectOptions> = {
  strictWaits: false,
  sandbox: {},
  gate: undefined,
  clock: systemClock,
  random: cryptoRandom,
};

/** Fills in the defaults. An option that is `undefined` counts as absent. */
export const withDialectDefaults = <Options extends object>(
  defaults: Required<Options>,
  options: Options,
): Required<Options> => {
  const present = Object.entries(options).filter(([, value]) => value !== undefined);
  return { ...defaults, ...Object.fromEntries(present) };
};
