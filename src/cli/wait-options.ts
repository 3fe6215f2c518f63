/** The options `--until`, `--match` and `--timeout`: for what a command waits, and how long. */

import { ifDefined } from '../session/options/if-defined.ts';
import { type Until, untils, type WaitFor } from '../session/options/options.ts';
import { parseDuration } from './parse-args.ts';

export const timeoutOption = (defaultMs: number) =>
  ({
    timeout: {
      value: 'T',
      parse: parseDuration,
      default: `${defaultMs / 1000}s`,
      description: 'wait so long at most: 300ms, 5s, 2m',
    },
  }) as const;

export const waitOptions = (defaultMs: number) =>
  ({
    until: {
      value: 'U',
      choices: untils,
      description: `wait until: ${untils.join(', ')} (default: ready, that is, it wants input or has exited)`,
    },
    match: {
      value: 'R',
      description: 'wait until new output matches this regular expression, or it exits',
    },
    ...timeoutOption(defaultMs),
  }) as const;

export const toWaitFor = (values: {
  until: Until | undefined;
  match: string | undefined;
  timeout: number;
}): WaitFor => ({
  ...ifDefined('until', values.until),
  ...ifDefined('match', values.match),
  timeoutMs: values.timeout,
});
