/** Calls back when a program of the session listens on a port. */
import type { Session } from '../session.ts';
import { throttle } from './throttle.ts';

/** To see that a port was opened takes a look at the system's tables. */
const LISTENING_PAUSE_MS = 20;
/** Most servers print something when they begin to listen, so it is worth to look sooner then. */
const AFTER_OUTPUT_MS = 5;

/** Returns how to stop. */
export const onListening = (
  session: Session,
  listens: () => void,
  onError: (error: unknown) => void,
): (() => void) => {
  const look = () => {
    try {
      if (session.listening().length > 0) listens();
    } catch (error) {
      onError(error);
    }
  };
  const { trigger, cancel } = throttle(AFTER_OUTPUT_MS, look);
  const timer = setInterval(trigger, LISTENING_PAUSE_MS);
  session.onOutput.add(trigger);
  return () => {
    cancel();
    clearInterval(timer);
    session.onOutput.delete(trigger);
  };
};
