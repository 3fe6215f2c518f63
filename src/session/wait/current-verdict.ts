/** The verdict on a session now, without waiting for anything to happen. */
import type { Verdict } from '../../state/verdict.ts';
import type { Session } from '../session.ts';
import { settleOnce } from './settle-once.ts';

/** A program that never stops printing changes during every observation. */
const MAX_OBSERVE_MS = 50;
/** On a busy machine the time may be up after a single look, or none: that is no proof of change. */
const MIN_FAILURES = 4;

/** The first verdict that an observation gives, or `working` if none does in time. */
export const currentVerdict = ({ watcher }: Session): Promise<Verdict> =>
  settleOnce<Verdict>(({ resolve, onSettled }) => {
    const before = watcher.failures;
    const giveUp = () => {
      if (watcher.failures - before >= MIN_FAILURES) resolve(moving);
    };
    const timer = setInterval(giveUp, MAX_OBSERVE_MS);
    onSettled(() => clearInterval(timer));
    onSettled(watcher.watch(resolve));
  });

const moving: Verdict = {
  state: 'working',
  activity: 'not known',
  certainty: 'likely',
  because: 'it moved whenever we looked',
};
