/** Calls back when a program of the session listens on a port. */
import type { Session } from '../session.ts';
import { throttle } from './throttle.ts';

/** Nothing notifies us of a new port: the kernel's tables must be read again and again. */
const POLL_MS = 10;
/** Most servers print something when they start to listen, so after output we check sooner. */
const AFTER_OUTPUT_MS = 2;

/** Returns how to stop. */
export const onPortOpened = (
  session: Session,
  onFound: () => void,
  onError: (error: unknown) => void,
): (() => void) => {
  const check = () => {
    try {
      if (session.listening().length > 0) onFound();
    } catch (error) {
      onError(error);
    }
  };
  const { trigger, cancel } = throttle(AFTER_OUTPUT_MS, check);
  const timer = setInterval(trigger, POLL_MS);
  session.onOutput.add(trigger);
  return () => {
    cancel();
    clearInterval(timer);
    session.onOutput.delete(trigger);
  };
};
