/** Checks the options of a call before anything happens. */
import { UnknownUntil, UnknownView, UnusableNumber } from '../../errors.ts';
import { Pattern } from '../../views/pattern.ts';
import type { WaitCondition } from '../wait/wait-for-sessions.ts';
import {
  type HistoryLimits,
  MAX_TIMER_MS,
  type ReadOptions,
  type SessionsOptions,
  untils,
  viewNames,
  type WaitFor,
} from './options.ts';

/** Checks a wait condition and compiles its pattern. */
export const compileWaitCondition = async (
  { until = 'ready', match, certainty, timeoutMs }: WaitFor,
  defaultMs: number,
): Promise<Omit<WaitCondition, 'from'>> => {
  if (!untils.includes(until)) throw new UnknownUntil(until, untils);
  if (timeoutMs !== undefined) assertTimeout(timeoutMs);
  const pattern = match === undefined ? undefined : await Pattern.compile(match);
  return {
    until,
    timeoutMs: timeoutMs ?? defaultMs,
    ...(certainty && { certainty }),
    ...(pattern && { match: pattern }),
  };
};

export const assertTimeout = (ms: number) => {
  if (!(ms >= 0 && ms <= MAX_TIMER_MS))
    throw new UnusableNumber('timeoutMs', ms, `milliseconds from 0 to ${MAX_TIMER_MS} (24 days)`);
};

export const assertReadOptions = ({
  view,
  from,
  maxTokens,
}: Pick<ReadOptions, 'view' | 'from' | 'maxTokens'>) => {
  if (view !== undefined && !viewNames.includes(view)) throw new UnknownView(view, viewNames);
  if (from !== undefined && !(Number.isInteger(from) && from >= 0))
    throw new UnusableNumber('from', from, 'a position from an earlier result');
  if (maxTokens !== undefined && !(Number.isInteger(maxTokens) && maxTokens >= 1))
    throw new UnusableNumber('maxTokens', maxTokens, 'a whole number from 1');
};

/** NaN is refused too: nothing is ever greater than NaN, so a limit of NaN would be no limit. */
export const assertSessionsOptions = ({
  maxSessions,
  idleMs,
  lifetimeMs,
  recordings: { maxBytes, maxFiles } = {},
}: SessionsOptions) => {
  assertAtLeast(1, { maxSessions });
  assertAtLeast(0, { idleMs, lifetimeMs });
  assertAtLeast(0, { 'recordings.maxBytes': maxBytes, 'recordings.maxFiles': maxFiles });
};

const assertAtLeast = (min: number, numbers: Readonly<Record<string, number | undefined>>) => {
  for (const [name, value] of Object.entries(numbers))
    if (value !== undefined && !(typeof value === 'number' && value >= min))
      throw new UnusableNumber(name, value, `a number from ${min}`);
};

/** The screen counts lines in 32 bits. */
const MAX_HISTORY = 2 ** 31 - 1;

export const assertHistoryLimits = ({ maxBytes, maxLines }: HistoryLimits) => {
  for (const [name, value] of Object.entries({ maxBytes, maxLines }))
    if (value !== undefined && !(Number.isInteger(value) && value >= 0 && value <= MAX_HISTORY))
      throw new UnusableNumber(`history.${name}`, value, `a whole number from 0 to ${MAX_HISTORY}`);
};
