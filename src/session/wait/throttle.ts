/** Looks when there is something to see, but not more often than looking is worth. */
export interface Throttled {
  /** There may be something to see: looks now, or as soon as it may. */
  heard(): void;
  stop(): void;
}

export const throttle = (pauseMs: number, look: () => void): Throttled => {
  let lookedMs = Number.NEGATIVE_INFINITY;
  let later: NodeJS.Timeout | undefined;
  const lookNow = () => {
    later = undefined;
    lookedMs = performance.now();
    look();
  };
  return {
    heard() {
      if (later !== undefined) return;
      const leftMs = lookedMs + pauseMs - performance.now();
      if (leftMs <= 0) lookNow();
      else later = setTimeout(lookNow, leftMs);
    },
    stop: () => clearTimeout(later),
  };
};
