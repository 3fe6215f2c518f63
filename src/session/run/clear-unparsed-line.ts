/** fish puts a line that does not parse back into its editor, where the next command would join it. */
import type { ScreenEvent } from '../../screen/sequences/screen-events.ts';
import { actorOf } from '../caller.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';
import { waitForSessions } from '../wait/wait-for-sessions.ts';
import type { CommandOutcome } from './run-result.ts';

/** A prompt may ask git or the network. */
const CLEAR_LINE_MS = 2000;

export const isUnparsedLineLeft = ({ session, tracker }: CommandOutcome): boolean =>
  session.shell.kind === 'fish' && tracker.end !== undefined && !tracker.hasStarted;

/**
 * Clears the line, and waits for the new prompt: it is not output to be read.
 *
 * C-c is a signal, and fish loses one that arrives just before it waits for input. So C-c is typed
 * again when fish waits and has not reported the line as dropped.
 */
export const clearUnparsedLine = async (
  session: Session,
  call: CallOptions,
): Promise<Pick<CommandOutcome, 'verdict' | 'isLineCleared'>> => {
  const deadlineMs = performance.now() + CLEAR_LINE_MS;
  let isDropped = false;
  const onEvent = (event: ScreenEvent) => {
    if (event.type !== 'typed-mark' || event.key !== session.shell.aid) return;
    isDropped ||= event.typed === 'dropped';
  };
  session.onScreenEvent.add(onEvent);
  try {
    for (;;) {
      await session.input.type({ keys: 'C-c' }, actorOf(call));
      const timeoutMs = Math.max(0, deadlineMs - performance.now());
      const from = session.input.inputPosition;
      const condition = { until: 'ready', from, timeoutMs } as const;
      const { verdict, timedOut } = await waitForSessions([session], () => condition, call);
      if (isDropped || timedOut || verdict.state === 'exited')
        return { verdict, isLineCleared: true };
    }
  } finally {
    session.onScreenEvent.delete(onEvent);
  }
};
