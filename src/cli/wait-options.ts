/** The options `--until`, `--match` and `--timeout`: for what a command waits, and how long. */

import { ifDefined } from '../session/options/if-defined.ts';
import { type Until, untils, type WaitFor } from '../session/options/options.ts';
import { parseDuration, parseOptionalValue, UsageError } from './parse-args.ts';

export const waitOptionFlags = {
  until: { type: 'string' },
  match: { type: 'string' },
  timeout: { type: 'string' },
} as const;

export const waitOptionHelp = (timeout: string) => ({
  '--until U': `wait until: ${untils.join(', ')} (default: ready, that is, it wants input or has exited)`,
  '--match R': 'wait until new output matches this regular expression, or it exits',
  '--timeout T': `wait so long at most: 300ms, 5s, 2m (default ${timeout})`,
});

export interface WaitOptionValues {
  until?: string | undefined;
  match?: string | undefined;
  timeout?: string | undefined;
}

export const parseWaitOptions = ({ until, match, timeout }: WaitOptionValues): WaitFor => {
  if (until !== undefined && !isUntil(until))
    throw new UsageError(`--until ${until}: a wait can last until ${untils.join(', ')}.`);
  return {
    ...ifDefined('until', until),
    ...ifDefined('match', match),
    ...ifDefined('timeoutMs', parseOptionalValue(parseDuration, '--timeout', timeout)),
  };
};

const isUntil = (word: string): word is Until => (untils as readonly string[]).includes(word);
