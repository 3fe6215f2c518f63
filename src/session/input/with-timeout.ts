/**
 * Whether input was taken in time. A program that does not read leaves it with us: it goes on being
 * typed as the program reads, but nobody has to wait for that.
 */
export const settlesWithin = (
  typing: Promise<void>,
  limitMs: number,
  signal?: AbortSignal,
): Promise<boolean> =>
  new Promise((resolve, reject) => {
    const onAbort = () => reject(signal?.reason);
    const limit = setTimeout(() => resolve(false), limitMs);
    signal?.addEventListener('abort', onAbort);
    // Once time is up nobody hears of a failure any more: the exit of the program tells it.
    typing
      .then(() => resolve(true), reject)
      .finally(() => {
        clearTimeout(limit);
        signal?.removeEventListener('abort', onAbort);
      });
  });
