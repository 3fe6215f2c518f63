/** Waits until a command has ended, asks for input, or has had its time. */
import type { Verdict } from '../../state/verdict.ts';
import { whenReady } from '../../state/when-ready.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';
import { currentVerdict } from '../wait/current-verdict.ts';
import { reportProgress } from '../wait/report-progress.ts';
import { settleOnce } from '../wait/settle-once.ts';
import type { CommandTracker } from './command-tracker.ts';

/**
 * What a shell needs from its prompt to reading. Where the kernel does not tell us of it, nothing
 * better than that it is likely to wait will ever be known.
 */
const PROMPT_MS = 100;

export interface EndOutcome {
  verdict: Verdict;
  timedOut: boolean;
}

export const waitForEnd = (
  session: Session,
  tracker: CommandTracker,
  timeoutMs: number,
  { signal, onProgress }: CallOptions,
): Promise<EndOutcome> =>
  settleOnce<EndOutcome>(
    ({ resolve, onSettled }) => {
      const settle = (verdict: Verdict) => resolve({ verdict, timedOut: false });
      const onReady = (verdict: Verdict) => {
        if (tracker.end === undefined) settle(verdict);
      };
      onSettled(afterEnd(session, tracker, settle));
      onSettled(whenReady(session.watcher, () => session.lastEventMs, onReady));
      if (onProgress) onSettled(reportProgress(session, performance.now(), onProgress));
    },
    {
      signal,
      timeoutMs,
      onTimeout: async () => {
        const timedOut = tracker.end === undefined;
        return { verdict: await currentVerdict(session), timedOut };
      },
    },
  );

/**
 * Once its end is marked, no silence is needed to believe that the shell waits. It may still have to
 * draw its prompt; and where it goes on with a line typed ahead, that is not our command.
 */
const afterEnd = (
  session: Session,
  tracker: CommandTracker,
  settle: (verdict: Verdict) => void,
): (() => void) => {
  let stopWatching: (() => void) | undefined;
  let promptedMs = Number.POSITIVE_INFINITY;
  const judge = (verdict: Verdict) => {
    if (tracker.end === undefined) return;
    const isPatient = performance.now() - promptedMs < PROMPT_MS;
    if (isAtPrompt(verdict, session) || tracker.isFollowed) settle(verdict);
    else if (verdict.state === 'waiting' && !isPatient) settle(verdict);
  };
  const onChange = () => {
    if (tracker.end === undefined) return;
    if (tracker.isPrompted) promptedMs = Math.min(promptedMs, performance.now());
    stopWatching ??= session.watcher.watch(judge);
  };
  tracker.onChange = onChange;
  onChange();
  return () => {
    tracker.onChange = () => {};
    stopWatching?.();
  };
};

/**
 * Between the end of its last job and its prompt, nobody is in the foreground of a shell. One that
 * marks its prompts is certain to wait when it does.
 */
const isAtPrompt = (verdict: Verdict, { screen }: Session): boolean => {
  if (verdict.state === 'working') return false;
  const isMarked = screen.ownMark !== undefined && screen.ownMark.mark !== 'output';
  return verdict.certainty === 'certain' || (!isMarked && verdict.foreground !== undefined);
};
