/**
 * A promise that settles once: by what it waits for, by time, or because its caller gave up. Whatever
 * was set up for the wait is undone exactly once, before anybody learns how it ended.
 */

export interface Settling<T> {
  resolve(value: T | PromiseLike<T>): void;
  reject(error: unknown): void;
  /** Called when the wait is over; at once where it already is. */
  onSettled(undo: () => void): void;
}

export interface SettleOptions<T> {
  /** @default never */
  timeoutMs?: number;
  /** What the wait ends with when its time is up. */
  onTimeout?: () => T | PromiseLike<T>;
  /** Rejects with its reason. */
  signal?: AbortSignal | undefined;
}

export const settleOnce = <T>(
  begin: (settling: Settling<T>) => void,
  { timeoutMs, onTimeout, signal }: SettleOptions<T> = {},
): Promise<T> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const undos: (() => void)[] = [];
    let isSettled = false;
    const settle = (act: () => void) => {
      if (isSettled) return;
      isSettled = true;
      for (const undo of undos.splice(0)) undo();
      act();
    };
    const settling: Settling<T> = {
      resolve: (value) => settle(() => resolve(value)),
      reject: (error) => settle(() => reject(error)),
      onSettled: (undo) => {
        if (isSettled) undo();
        else undos.push(undo);
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
    begin(settling);
  });
