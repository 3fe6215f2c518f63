import type { Exit } from './reaper.ts';
import { signalNumber } from './signals.ts';

/** Describes how a program ended, for messages. */
export const describeExit = ({ code, signal }: Exit): string => {
  if (signal !== undefined) return `ended by ${signal}`;
  return code === undefined ? 'how is not known' : `exit code ${code}`;
};

interface Ended {
  code?: number | undefined;
  signal?: string | undefined;
}

/** The exit status as shells report it: 128 plus the number of a signal. Undefined if unknown. */
export const shellExitStatus = ({ code, signal }: Ended): number | undefined =>
  code ?? (signal === undefined ? undefined : 128 + signalNumber(signal));
