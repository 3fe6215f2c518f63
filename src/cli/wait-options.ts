/** `--until`, `--match` and `--timeout`: how long a command waits, and for what. */

import { given } from '../session/options/if-defined.ts';
import { type Until, untils, type WaitFor } from '../session/options/options.ts';
import { milliseconds, read, UsageError } from './parse-args.ts';

export const wishOptions = {
  until: { type: 'string' },
  match: { type: 'string' },
  timeout: { type: 'string' },
} as const;

export const wishHelp = (timeout: string) => ({
  '--until U': `wait until: ${untils.join(', ')} (default: ready, that is, it wants input or has exited)`,
  '--match R': 'wait until new output matches this regular expression, or it exits',
  '--timeout T': `wait so long at most: 300ms, 5s, 2m (default ${timeout})`,
});

export interface WishValues {
  until?: string | undefined;
  match?: string | undefined;
  timeout?: string | undefined;
}

export const wishOf = ({ until, match, timeout }: WishValues): WaitFor => {
  if (until !== undefined && !isUntil(until))
    throw new UsageError(`--until ${until}: a wait can last until ${untils.join(', ')}.`);
  return {
    ...given('until', until),
    ...given('match', match),
    ...given('timeoutMs', read(milliseconds, '--timeout', timeout)),
  };
};

const isUntil = (word: string): word is Until => (untils as readonly string[]).includes(word);
