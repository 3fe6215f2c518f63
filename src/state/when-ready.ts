/**
 * Decides when a verdict is good enough to end a wait.
 *
 * A certain verdict ends it at once. A likely one must hold for a moment without output, unless nothing
 * else can happen meanwhile, or only what the program waits for is not certain. A guess ends it at once
 * too, since a guess already needs silence.
 */
import type { Verdict } from './verdict.ts';
import type { Watcher } from './watcher.ts';

/** Programs that draw in several bursts pause for less than this between them. */
export const LIKELY_HOLD_MS = 100;

/** What is said of a verdict that had to hold. */
export const HOLD_TEXT = `, unchanged for ${LIKELY_HOLD_MS} ms`;

/** Calls back once, when it is the user's turn or the program has exited. Returns how to stop. */
export const whenProgramIsReady = (
  watcher: Watcher,
  lastEventMs: () => number,
  onReady: (verdict: Verdict) => void,
  onlyIfCertain = false,
): (() => void) => {
  let likelySinceMs: number | undefined;
  const stop = watcher.watch((verdict) => {
    const nowMs = performance.now();
    if (onlyIfCertain && !isCertain(verdict)) return;
    if (!onlyIfCertain && mustHold(verdict)) {
      likelySinceMs ??= nowMs;
      if (nowMs - Math.max(likelySinceMs, lastEventMs()) < LIKELY_HOLD_MS) return;
    } else {
      likelySinceMs = undefined;
      if (verdict.state === 'working') return;
    }
    stop();
    onReady(likelySinceMs !== undefined ? withHoldTime(verdict) : verdict);
  });
  return stop;
};

/** Whether it is certain that the program waits or has exited, even if it is not certain what it waits for. */
const isCertain = (verdict: Verdict): boolean =>
  verdict.certainty === 'certain' || (verdict.state === 'waiting' && verdict.surelyWaits === true);

const mustHold = (verdict: Verdict): boolean =>
  verdict.state === 'waiting' &&
  verdict.certainty === 'likely' &&
  !verdict.isSettled &&
  !verdict.surelyWaits;

const withHoldTime = (verdict: Verdict): Verdict => ({
  ...verdict,
  because: verdict.because + HOLD_TEXT,
});
