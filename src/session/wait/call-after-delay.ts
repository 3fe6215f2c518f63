/** `setTimeout` for any time, also longer than a timer allows. */
import { MAX_TIMER_MS } from '../options/options.ts';

/** Calls `act` once; never for Infinity. Returns how to cancel. */
export const callAfterDelay = (ms: number, act: () => void): (() => void) => {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  const dueMs = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const schedule = () => {
    const leftMs = dueMs - performance.now();
    timer = leftMs > MAX_TIMER_MS ? setTimeout(schedule, MAX_TIMER_MS) : setTimeout(act, leftMs);
  };
  schedule();
  return () => clearTimeout(timer);
};
