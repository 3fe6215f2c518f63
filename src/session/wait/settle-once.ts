/**
 * A promise that settles once: by its own event, by a time-out, or because its caller aborts. All
 * clean-up functions run exactly once, before the promise settles.
 */

export interface SettleControls<T> {
  resolve(value: T | PromiseLike<T>): void;
  reject(error: unknown): void;
  /** Adds a clean-up function. It runs when the wait is over, or at once if it already is. */
  onSettled(cleanUp: () => void): void;
}

export interface SettleOptions<T> {
  /** @default never */
  timeoutMs?: number;
  /** Returns the value to settle with when the time is up. */
  onTimeout?: () => T | PromiseLike<T>;
  /** Rejects with its reason when aborted. */
  signal?: AbortSignal | undefined;
}

export const settleOnce = <T>(
  start: (settling: SettleControls<T>) => void,
  { timeoutMs, onTimeout, signal }: SettleOptions<T> = {},
): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const cleanUps: (() => void)[] = [];
    let isSettled = false;
    const settle = (act: () => void) => {
      if (isSettled) return;
      isSettled = true;
      for (const cleanUp of cleanUps.splice(0)) cleanUp();
      act();
    };
    const settling: SettleControls<T> = {
      resolve: (value) => settle(() => resolve(value)),
      reject: (error) => settle(() => reject(error)),
      onSettled: (cleanUp) => {
        if (isSettled) cleanUp();
        else cleanUps.push(cleanUp);
      },
    };
    if (signal !== undefined) {
      const onAbort = () => settling.reject(signal.reason);
      signal.addEventListener('abort', onAbort);
      settling.onSettled(() => signal.removeEventListener('abort', onAbort));
    }
    if (timeoutMs !== undefined && onTimeout !== undefined) {
      const timer = setTimeout(() => settle(() => resolve(onTimeout())), timeoutMs);
      settling.onSettled(() => clearTimeout(timer));
    }
    start(settling);
  });
