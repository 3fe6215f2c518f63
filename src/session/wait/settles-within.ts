/**
 * Whether input was taken in time. A program that does not read leaves it with us: it goes on being
 * typed as the program reads, but nobody has to wait for that.
 */
import { settleOnce } from './settle-once.ts';

export const settlesWithin = (
  typing: Promise<void>,
  timeoutMs: number,
  signal?: AbortSignal,
): Promise<boolean> => {
  // Once time is up nobody learns of a failure any more: the exit of the program tells it.
  typing.catch(() => {});
  return settleOnce<boolean>(({ resolve, reject }) => typing.then(() => resolve(true), reject), {
    timeoutMs,
    onTimeout: () => false,
    signal,
  });
};
