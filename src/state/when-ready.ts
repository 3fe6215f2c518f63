/**
 * When a verdict is good enough to end a wait.
 *
 * A certain one at once; a likely one when it has held for a moment in which nothing was printed; a
 * guess at once as well, since it takes silence to make one.
 */
import type { Verdict } from './verdict.ts';
import type { Watcher } from './watcher.ts';

/** Programs that draw in several bursts pause for less than this between them. */
export const LIKELY_HOLD_MS = 100;

/** Calls back once, when it is the user's turn or the program has exited. */
export const whenReady = (
  watcher: Watcher,
  lastEventMs: () => number,
  tell: (verdict: Verdict) => void,
  onlyIfCertain = false,
): (() => void) => {
  let likelySinceMs: number | undefined;
  const stop = watcher.watch((verdict) => {
    const nowMs = performance.now();
    if (onlyIfCertain && !isCertain(verdict)) return;
    if (!onlyIfCertain && verdict.state === 'waiting' && verdict.certainty === 'likely') {
      likelySinceMs ??= nowMs;
      if (nowMs - Math.max(likelySinceMs, lastEventMs()) < LIKELY_HOLD_MS) return;
    } else {
      likelySinceMs = undefined;
      if (verdict.state === 'working') return;
    }
    stop();
    tell(likelySinceMs !== undefined ? held(verdict) : verdict);
  });
  return stop;
};

/** That it waits, or has exited; not for what it waits. */
const isCertain = (verdict: Verdict): boolean =>
  verdict.certainty === 'certain' || (verdict.state === 'waiting' && verdict.surelyWaits === true);

const held = (verdict: Verdict): Verdict => ({
  ...verdict,
  because: `${verdict.because}, unchanged for ${LIKELY_HOLD_MS} ms`,
});
