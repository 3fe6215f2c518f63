import type { Exit } from './reaper.ts';
import { signalNumber } from './signals.ts';

/** How a program ended, for messages. */
export const describeExit = ({ code, signal }: Exit): string => {
  if (signal !== undefined) return `ended by ${signal}`;
  return code === undefined ? 'how is not known' : `exit code ${code}`;
};

interface Ended {
  code?: number | undefined;
  signal?: string | undefined;
}

/** The number that shells give: after a signal, 128 and its own. Undefined where it is not known. */
export const shellExitStatus = ({ code, signal }: Ended): number | undefined =>
  code ?? (signal === undefined ? undefined : 128 + signalNumber(signal));
