/**
 * Whether input is typed in time. If a program does not read, typing continues in the background as the
 * program reads, but the caller does not wait for it.
 */
import { PatternTooSlow } from '../../errors.ts';
import { settleOnce } from './settle-once.ts';

export const finishesTypingWithin = (
  typing: Promise<void>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> => {
  // After the time-out nobody handles a failure. The program has exited then, which is reported anyway.
  typing.catch(() => {});
  return settleOnce<boolean>(({ resolve, reject }) => typing.then(() => resolve(true), reject), {
    timeoutMs,
    onTimeout: () => false,
    signal,
  });
};

/** For an error of the wait after it: the error must say that the text was typed. */
export const throwAfterTyping = (error: unknown): never => {
  if (!(error instanceof PatternTooSlow)) throw error;
  throw new PatternTooSlow(error.details.pattern, error.details.limitMs, true);
};
