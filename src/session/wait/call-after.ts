import { LONGEST_MS } from '../options/options.ts';

/** Calls once, also after longer than a timer can take, or never; returns how to call it off. */
export const callAfter = (ms: number, act: () => void): (() => void) => {
  if (ms === Number.POSITIVE_INFINITY) return () => {};
  const dueMs = performance.now() + ms;
  let timer: NodeJS.Timeout;
  const wait = () => {
    const leftMs = dueMs - performance.now();
    timer = leftMs > LONGEST_MS ? setTimeout(wait, LONGEST_MS) : setTimeout(act, leftMs);
  };
  wait();
  return () => clearTimeout(timer);
};
