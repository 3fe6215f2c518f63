/** Waits until the program has read its input. */
import type { Watcher } from '../../state/watcher.ts';
import { settleOnce } from '../wait/settle-once.ts';

/** The next of several lines waits at most this long for a program that is busy with the last one. */
const MAX_WAIT_MS = 500;

/** Resolves when the program waits for input again or has exited, or when the time is up. */
export const untilProgramReads = (watcher: Watcher): Promise<void> =>
  settleOnce<void>(
    ({ resolve, onSettled }) => {
      const stop = watcher.watch(({ state }) => {
        if (state !== 'working') resolve();
      });
      onSettled(stop);
    },
    { timeoutMs: MAX_WAIT_MS, onTimeout: () => {} },
  );
