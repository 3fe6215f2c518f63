import { LONGEST_MS } from '../../session/options/options.ts';

/** The time by which a dialect waits, and by which its sessions grow old; tests bring their own. */
export interface Clock {
  /** Milliseconds since 1970, which never go back. */
  now(): number;
  /** Calls once, after so long. Returns how to prevent it. */
  after(ms: number, act: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => performance.timeOrigin + performance.now(),
  after: (ms, act) => {
    const timer = setTimeout(act, Math.min(ms, LONGEST_MS));
    return () => clearTimeout(timer);
  },
};
