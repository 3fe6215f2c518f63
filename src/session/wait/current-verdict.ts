import type { Verdict } from '../../state/verdict.ts';
import type { Session } from '../session.ts';
import { settleOnce } from './settle-once.ts';

/** A program that never stops writing, say, never holds still. */
const UNSETTLED_MS = 50;

/** The verdict now, as soon as things hold still for one observation. */
export const currentVerdict = ({ watcher }: Session): Promise<Verdict> =>
  settleOnce<Verdict>(({ resolve, onSettled }) => onSettled(watcher.watch(resolve)), {
    timeoutMs: UNSETTLED_MS,
    onTimeout: () => ({
      state: 'working',
      activity: 'not known',
      certainty: 'likely',
      because: 'it moved whenever we looked',
    }),
  });
