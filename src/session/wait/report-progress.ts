/** Reports to a waiting caller, once a second, what the session is doing. */
import type { Verdict } from '../../state/verdict.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';

const PROGRESS_PAUSE_MS = 1000;

/** Returns how to stop. */
export const reportCallProgress = (
  session: Session,
  startedMs: number,
  onProgress: NonNullable<CallOptions['onProgress']>,
): (() => void) => {
  let last: Verdict | undefined;
  const stopWatching = session.watcher.watch((verdict) => {
    last = verdict;
  });
  const timer = setInterval(() => {
    onProgress({
      session: session.name,
      elapsedMs: performance.now() - startedMs,
      state: last?.state ?? 'working',
      lastLine: lastLineOf(session),
    });
  }, PROGRESS_PAUSE_MS);
  return () => {
    stopWatching();
    clearInterval(timer);
  };
};

const lastLineOf = (session: Session): string => {
  const { screen } = session;
  let last = '';
  for (const { text } of screen.lines(screen.firstLiveLine)) if (text !== '') last = text;
  return session.masked(last);
};
