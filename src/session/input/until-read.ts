import type { Watcher } from '../../state/watcher.ts';
import { settleOnce } from '../wait/settle-once.ts';

/** How long the next of several lines waits for a program that is busy with the one before. */
const NEXT_LINE_MS = 500;

/** Until the program reads again, or for a moment: it may have much to do for the line it got. */
export const untilRead = (watcher: Watcher): Promise<void> =>
  settleOnce<void>(
    ({ resolve, onSettled }) => {
      const stop = watcher.watch(({ state }) => {
        if (state !== 'working') resolve();
      });
      onSettled(stop);
    },
    { timeoutMs: NEXT_LINE_MS, onTimeout: () => {} },
  );
