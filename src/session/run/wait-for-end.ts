/** Waits until a command has ended, asks for input, or has had its time. */

import type { Verdict } from '../../state/verdict.ts';
import { whenReady } from '../../state/when-ready.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';
import { currentVerdict, reportProgress } from '../wait/wait-for.ts';
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
  course: CommandTracker,
  timeoutMs: number,
  { signal, onProgress }: CallOptions,
): Promise<EndOutcome> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const undo: (() => void)[] = [];
    const settle = (verdict: Verdict | Promise<Verdict>, timedOut = false) => {
      for (const step of undo.splice(0)) step();
      Promise.resolve(verdict).then((verdict) => resolve({ verdict, timedOut }), reject);
    };
    const onAbort = () => {
      for (const step of undo.splice(0)) step();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort);
    undo.push(() => signal?.removeEventListener('abort', onAbort));

    const ready = (verdict: Verdict) => {
      if (course.end === undefined) settle(verdict);
    };
    undo.push(
      afterEnd(session, course, settle),
      whenReady(session.watcher, () => session.lastEventMs, ready),
    );
    const limit = setTimeout(
      () => settle(currentVerdict(session), course.end === undefined),
      timeoutMs,
    );
    undo.push(() => clearTimeout(limit));
    if (onProgress) undo.push(reportProgress(session, performance.now(), onProgress));
  });

/**
 * Once its end is marked, no silence is needed to believe that the shell waits. It may still have to
 * draw its prompt; and where it goes on with a line typed ahead, that is not our command.
 */
const afterEnd = (
  session: Session,
  course: CommandTracker,
  settle: (verdict: Verdict) => void,
): (() => void) => {
  let stopWatching: (() => void) | undefined;
  let promptedMs = Number.POSITIVE_INFINITY;
  const judge = (verdict: Verdict) => {
    if (course.end === undefined) return;
    const isPatient = performance.now() - promptedMs < PROMPT_MS;
    if (isAtPrompt(verdict, session) || course.isFollowed) settle(verdict);
    else if (verdict.state === 'waiting' && !isPatient) settle(verdict);
  };
  const look = () => {
    if (course.end === undefined) return;
    if (course.isPrompted) promptedMs = Math.min(promptedMs, performance.now());
    stopWatching ??= session.watcher.watch(judge);
  };
  course.changed = look;
  look();
  return () => {
    course.changed = () => {};
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
