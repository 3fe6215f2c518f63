/** Waits until a session meets a condition, or the time is up. The program is not affected. */

import type { Verdict } from '../../state/verdict.ts';
import { whenProgramIsReady } from '../../state/when-ready.ts';
import type { Pattern } from '../../views/pattern.ts';
import type { Until } from '../options/options.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';
import { currentVerdict } from './current-verdict.ts';
import { onPatternMatch } from './on-pattern-match.ts';
import { onPortOpened } from './on-port-opened.ts';
import { reportCallProgress } from './report-progress.ts';
import { type SettleControls, settleOnce } from './settle-once.ts';

export interface WaitCondition {
  until: Until;
  match?: Pattern;
  /** With `ready`: only a certain verdict counts. */
  certainty?: 'certain';
  timeoutMs: number;
  /** Only output from this position on counts as new. */
  from: number;
}

export interface WaitOutcome {
  session: Session;
  verdict: Verdict;
  timedOut: boolean;
  matched?: string;
}

/** Waits for the first of the sessions that meets its condition. All have the same time-out. */
export const waitForSessions = (
  sessions: readonly Session[],
  conditionFor: (session: Session) => WaitCondition,
  { signal, onProgress }: CallOptions,
): Promise<WaitOutcome> => {
  const [first] = sessions as readonly [Session, ...Session[]];
  const conditions = sessions.map(conditionFor);
  const startedMs = performance.now();
  return settleOnce<WaitOutcome>(
    (settling) => {
      for (const [at, session] of sessions.entries()) {
        watchFor(session, conditions[at]!, settling);
        if (onProgress) settling.onSettled(reportCallProgress(session, startedMs, onProgress));
      }
    },
    {
      signal,
      timeoutMs: conditions[0]!.timeoutMs,
      onTimeout: () => outcomeOf(first, { timedOut: true }),
    },
  );
};

interface Fulfilled {
  timedOut?: boolean;
  matched?: string;
  /** If known already; otherwise the session is observed. */
  verdict?: Verdict;
}

const outcomeOf = async (
  session: Session,
  { timedOut = false, matched, verdict }: Fulfilled = {},
): Promise<WaitOutcome> => ({
  session,
  verdict: verdict ?? (await currentVerdict(session)),
  timedOut,
  ...(matched !== undefined && { matched }),
});

const watchFor = (
  session: Session,
  { until, match, from, certainty }: WaitCondition,
  settling: SettleControls<WaitOutcome>,
): void => {
  const { onSettled, reject } = settling;
  const fulfil = (result?: Fulfilled) => settling.resolve(outcomeOf(session, result));
  if (match !== undefined) {
    const onFound = (matched: string) => fulfil({ matched });
    const { searchNow, stop } = onPatternMatch(session, match, from, onFound, reject);
    onSettled(stop);
    onExit(session, settling, () => {
      // The last output may match.
      searchNow();
      fulfil();
    });
  } else if (until === 'ready') {
    const onReady = (verdict: Verdict) => fulfil({ verdict });
    const onlyIfCertain = certainty === 'certain';
    onSettled(
      whenProgramIsReady(session.watcher, () => session.lastEventMs, onReady, onlyIfCertain),
    );
  } else if (until === 'exit') onExit(session, settling, fulfil);
  else if (until === 'output' && session.screen.position <= from) {
    const onOutput = () => fulfil();
    session.onOutput.add(onOutput);
    onSettled(() => session.onOutput.delete(onOutput));
    onExit(session, settling, fulfil);
  } else if (until === 'listening') {
    onSettled(onPortOpened(session, fulfil, reject));
    onExit(session, settling, fulfil);
  } else queueMicrotask(() => fulfil());
};

const onExit = (
  session: Session,
  { onSettled }: SettleControls<WaitOutcome>,
  callback: () => void,
): void => {
  let isSettled = false;
  onSettled(() => {
    isSettled = true;
  });
  void session.terminal.exited.then(() => {
    if (!isSettled) callback();
  });
};
