/** The screen of a session as it is now, with all that its program has printed. */
import type { SessionEvent, Sessions } from '../../session/sessions.ts';
import type { ScreenDump } from './display.ts';

/** Undefined if there is no such session, or the daemon does not answer within `limitMs`. */
export const currentScreen = (
  sessions: Sessions,
  session: string,
  limitMs: number,
): Promise<ScreenDump | undefined> =>
  new Promise((resolve) => {
    let unsubscribe = () => {};
    const end = (screen?: ScreenDump) => {
      clearTimeout(timer);
      unsubscribe();
      resolve(screen);
    };
    const timer = setTimeout(end, limitMs);
    // A new subscriber gets the screen first.
    const onEvent = (event: SessionEvent) => end(event.type === 'screen' ? event : undefined);
    unsubscribe = sessions.subscribe(onEvent, session, ['screen', 'closed']);
  });
