/** Calls back when triggered, but at most once in `pauseMs`. */
export interface Throttled {
  /** Calls back now, or as soon as the pause is over. */
  trigger(): void;
  cancel(): void;
}

export const throttle = (pauseMs: number, act: () => void): Throttled => {
  let lastMs = Number.NEGATIVE_INFINITY;
  let timer: NodeJS.Timeout | undefined;
  const run = () => {
    timer = undefined;
    lastMs = performance.now();
    act();
  };
  return {
    trigger() {
      if (timer !== undefined) return;
      const leftMs = lastMs + pauseMs - performance.now();
      if (leftMs <= 0) run();
      else timer = setTimeout(run, leftMs);
    },
    cancel: () => clearTimeout(timer),
  };
};
