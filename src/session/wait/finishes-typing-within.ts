/**
 * Whether input is typed in time. If a program does not read, typing continues in the background as the
 * program reads, but the caller does not wait for it.
 */
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
