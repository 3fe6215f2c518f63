/** The verdict on a session now, without waiting for anything to happen. */
import type { Verdict } from '../../state/verdict.ts';
import type { Session } from '../session.ts';
import { settleOnce } from './settle-once.ts';

/** A program that never stops printing changes during every observation. */
const MAX_OBSERVE_MS = 50;

/** The first verdict that an observation gives, or `working` if none does in time. */
export const currentVerdict = ({ watcher }: Session): Promise<Verdict> =>
  settleOnce<Verdict>(({ resolve, onSettled }) => onSettled(watcher.watch(resolve)), {
    timeoutMs: MAX_OBSERVE_MS,
    onTimeout: () => ({
      state: 'working',
      activity: 'not known',
      certainty: 'likely',
      because: 'it moved whenever we looked',
    }),
  });
