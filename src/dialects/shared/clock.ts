/** The clock by which a dialect waits and its sessions age. Tests pass their own. */
import { MAX_TIMER_MS } from '../../session/options/options.ts';

export interface Clock {
  /** Milliseconds since 1970. They never go back. */
  now(): number;
  /** Calls `callback` once after this time. Returns a function that cancels it. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, Math.min(ms, MAX_TIMER_MS));
    return () => clearTimeout(timer);
  },
};
