/** The sessions that the viewer shows: any `Sessions`, and what a daemon can do besides. */
import type { ApprovalRequest } from '../session/input/approval.ts';
import type { SessionEvent, Sessions } from '../session/sessions.ts';
import type { Size } from '../system/terminal/pty-device.ts';

export interface ViewerSessions extends Sessions {
  /** The page shows the session in a window of this size. */
  attach?(session: string, size: Size): Promise<void>;
  detach?(session: string): Promise<void>;
  /** What waits for a person's answer. With `after`, when there is something new. */
  approvals?(after?: number): Promise<{ version: number; waiting: ApprovalRequest[] }>;
  answer?(id: number, answer: string): Promise<void>;
}

export type ScreenNow = SessionEvent & { type: 'screen' };

/** A daemon that is busy answers in this time. */
const SCREEN_TIMEOUT_MS = 5000;

/** The current screen. Nothing counts as read by it. Undefined if there is no such session. */
export const screenNow = (sessions: Sessions, session: string): Promise<ScreenNow | undefined> =>
  new Promise((resolve) => {
    let isOver = false;
    let stop = () => {};
    const end = (screen?: ScreenNow) => {
      isOver = true;
      clearTimeout(timer);
      stop();
      resolve(screen);
    };
    const timer = setTimeout(end, SCREEN_TIMEOUT_MS);
    stop = sessions.subscribe(
      (event) => {
        if (isOver) return;
        if (event.type === 'screen') end(event);
        else if (event.type === 'closed') end();
      },
      session,
      ['screen', 'closed'],
    );
    // The first event can come before `subscribe` has returned.
    if (isOver) stop();
  });
