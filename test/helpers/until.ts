import { setTimeout as delay } from 'node:timers/promises';

/** Waits until the condition holds, and fails with `what` if it has not after half a minute. */
export const until = async (
  what: string,
  holds: () => boolean | Promise<boolean>,
  withinMs = 30_000,
): Promise<void> => {
  const deadline = performance.now() + withinMs;
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`Not within ${withinMs} ms: ${what}`);
    await delay(2);
  }
};
