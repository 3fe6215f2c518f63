/** Waits until a command has ended, asks for input, or the time is up. */
import type { Verdict } from '../../state/verdict.ts';
import { whenProgramIsReady } from '../../state/when-ready.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';
import { currentVerdict } from '../wait/current-verdict.ts';
import { reportCallProgress } from '../wait/report-progress.ts';
import { settleOnce } from '../wait/settle-once.ts';
import type { CommandTracker } from './command-tracker.ts';

/**
 * How long a shell takes from drawing its prompt to reading. If the kernel does not show that it reads,
 * the verdict will never be better than likely, so after this time a likely one is accepted.
 */
const PROMPT_MS = 100;

export interface CommandEndOutcome {
  verdict: Verdict;
  timedOut: boolean;
}

export const waitForCommandEnd = (
  session: Session,
  tracker: CommandTracker,
  timeoutMs: number,
  { signal, onProgress }: CallOptions,
): Promise<CommandEndOutcome> =>
  settleOnce<CommandEndOutcome>(
    ({ resolve, onSettled }) => {
      const settle = (verdict: Verdict) => resolve({ verdict, timedOut: false });
      const onReady = (verdict: Verdict) => {
        if (tracker.end === undefined) settle(verdict);
      };
      onSettled(afterEnd(session, tracker, settle));
      onSettled(whenProgramIsReady(session.watcher, () => session.lastEventMs, onReady));
      if (onProgress) onSettled(reportCallProgress(session, performance.now(), onProgress));
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
 * Once the end is marked, no silence is needed to believe that the shell waits. But it may still have to
 * draw its prompt. And if it starts a line that was typed ahead, that line is not our command.
 */
const afterEnd = (
  session: Session,
  tracker: CommandTracker,
  settle: (verdict: Verdict) => void,
): (() => void) => {
  let stopWatching: (() => void) | undefined;
  let promptMs = Number.POSITIVE_INFINITY;
  const onVerdict = (verdict: Verdict) => {
    if (tracker.end === undefined) return;
    const isPromptNew = performance.now() - promptMs < PROMPT_MS;
    if (isAtPrompt(verdict, session) || tracker.isNextStarted) settle(verdict);
    else if (verdict.state === 'waiting' && !isPromptNew) settle(verdict);
  };
  const onChange = () => {
    if (tracker.end === undefined) return;
    if (tracker.isPromptDrawn) promptMs = Math.min(promptMs, performance.now());
    stopWatching ??= session.watcher.watch(onVerdict);
  };
  tracker.onChange = onChange;
  onChange();
  return () => {
    tracker.onChange = () => {};
    stopWatching?.();
  };
};

/**
 * Between the end of its last job and its prompt, a shell has no foreground process. For a shell that
 * marks its prompts, only a certain verdict counts.
 */
const isAtPrompt = (verdict: Verdict, { screen }: Session): boolean => {
  if (verdict.state === 'working') return false;
  const isMarked = screen.marks.own !== undefined && screen.marks.own.mark !== 'output';
  return verdict.certainty === 'certain' || (!isMarked && verdict.foreground !== undefined);
};
