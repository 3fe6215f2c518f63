/** Waits until something holds for a session, or time is up. The program never notices. */

import type { Verdict } from '../../state/verdict.ts';
import { whenReady } from '../../state/when-ready.ts';
import type { Pattern } from '../../views/pattern.ts';
import { screenView } from '../../views/screen.ts';
import { type TextView, textFrom, viewText } from '../../views/text.ts';
import type { Until } from '../options/options.ts';
import type { Session } from '../session.ts';
import type { CallOptions } from '../sessions.ts';
import { throttle } from './throttle.ts';

export interface WaitCondition {
  until: Until;
  match?: Pattern;
  /** Of `ready`: no other verdict will do. */
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

/** A pattern is tried at most so often, however much a program writes. */
const MATCH_PAUSE_MS = 10;
/** To see that a port was opened takes a look at the system's tables. */
const LISTENING_PAUSE_MS = 20;
/** Most servers say so when they listen: then it is worth to look sooner. */
const LISTENING_HEARD_MS = 5;
const PROGRESS_PAUSE_MS = 1000;

/** The first of the sessions for which the wish comes true. */
export const waitFor = (
  sessions: readonly Session[],
  wish: (session: Session) => WaitCondition,
  { signal, onProgress }: CallOptions,
): Promise<WaitOutcome> =>
  new Promise((resolve, reject) => {
    const startedMs = performance.now();
    const undo: (() => void)[] = [];
    const settle = (act: () => void) => {
      for (const step of undo.splice(0)) step();
      act();
    };
    const fail = (error: unknown) => settle(() => reject(error));
    signal?.throwIfAborted();
    const onAbort = () => fail(signal?.reason);
    signal?.addEventListener('abort', onAbort);
    undo.push(() => signal?.removeEventListener('abort', onAbort));

    for (const session of sessions) {
      const wanted = wish(session);
      const done = (timedOut: boolean, { matched, verdict }: Come = {}) => {
        for (const step of undo.splice(0)) step();
        Promise.resolve(verdict ?? currentVerdict(session)).then(
          (verdict) =>
            resolve({ session, verdict, timedOut, ...(matched !== undefined && { matched }) }),
          reject,
        );
      };
      undo.push(watchFor(session, wanted, (come) => done(false, come), fail));
      const limit = setTimeout(() => done(true), wanted.timeoutMs);
      undo.push(() => clearTimeout(limit));
      if (onProgress) undo.push(reportProgress(session, startedMs, onProgress));
    }
  });

/** What made a wish come true, where there is more to say than that it did. */
interface Come {
  matched?: string;
  /** A verdict that is fresh, so that none need be asked for. */
  verdict?: Verdict;
}

/** Calls `come` once when it has come true. Returns how to stop. */
const watchFor = (
  session: Session,
  { until, match, from, certainty }: WaitCondition,
  come: (how?: Come) => void,
  fail: (error: unknown) => void,
): (() => void) => {
  const stops: (() => void)[] = [];
  const stop = () => {
    for (const step of stops.splice(0)) step();
  };
  const onExit = (lastLook = () => {}) => {
    let isWanted = true;
    stops.push(() => {
      isWanted = false;
    });
    void session.channel.exited.then(() => {
      if (isWanted) lastLook();
      if (isWanted) come();
    });
  };
  if (match !== undefined) {
    const { look, stop } = onMatch(session, match, from, (matched) => come({ matched }), fail);
    stops.push(stop);
    onExit(look);
  } else if (until === 'ready') {
    stops.push(
      whenReady(
        session.watcher,
        () => session.lastEventMs,
        (verdict) => come({ verdict }),
        certainty === 'certain',
      ),
    );
  } else if (until === 'exit') onExit();
  else if (until === 'output') {
    if (session.screen.position > from) queueMicrotask(() => come());
    else {
      const heard = () => come();
      session.onOutput.add(heard);
      stops.push(() => session.onOutput.delete(heard));
      onExit();
    }
  } else if (until === 'listening') {
    stops.push(onListening(session, come, fail));
    onExit();
  } else queueMicrotask(() => come());
  return stop;
};

/**
 * Of what has been searched in vain, so much is searched again with what came after it: a match may
 * have begun there. All of it each time would take ever longer in a flood.
 */
const SEARCHED_AGAIN_CHARS = 64 * 1024;

const onMatch = (
  session: Session,
  pattern: Pattern,
  from: number,
  come: (matched: string) => void,
  fail: (error: unknown) => void,
): { look: () => void; stop: () => void } => {
  const { screen } = session;
  let begin = from;
  const look = () => {
    try {
      const view = textFrom(screen, begin, session.leftOut());
      // A full-screen program's output is its screen.
      const shown = screen.modes.alternateScreen ? screenView(screen).lines.join('\n') : '';
      const found = pattern.exec(viewText(view)) ?? (shown ? pattern.exec(shown) : null);
      if (found) come(found[0]);
      else begin = Math.max(begin, positionBefore(view, SEARCHED_AGAIN_CHARS));
    } catch (error) {
      fail(error);
    }
  };
  const { heard, stop: stopLooking } = throttle(MATCH_PAUSE_MS, look);
  session.onOutput.add(heard);
  queueMicrotask(heard);
  const stop = () => {
    stopLooking();
    session.onOutput.delete(heard);
  };
  return { look, stop };
};

/** The start of the line that lies so many characters before the end. */
const positionBefore = ({ lines }: TextView, chars: number): number => {
  let left = chars;
  const first = lines.findLast(({ text }) => {
    left -= text.length + 1;
    return left <= 0;
  });
  return first?.position ?? 0;
};

const onListening = (
  session: Session,
  come: () => void,
  fail: (error: unknown) => void,
): (() => void) => {
  const look = () => {
    try {
      if (session.listening().length > 0) come();
    } catch (error) {
      fail(error);
    }
  };
  const { heard, stop } = throttle(LISTENING_HEARD_MS, look);
  const timer = setInterval(heard, LISTENING_PAUSE_MS);
  session.onOutput.add(heard);
  return () => {
    stop();
    clearInterval(timer);
    session.onOutput.delete(heard);
  };
};

export const reportProgress = (
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

/** How it stands now, as soon as things hold still for one look. */
export const currentVerdict = (session: Session): Promise<Verdict> =>
  new Promise((resolve) => {
    const stop = session.watcher.watch((verdict) => {
      clearTimeout(limit);
      stop();
      resolve(verdict);
    });
    // A program that never stops writing, say, never holds still.
    const limit = setTimeout(() => {
      stop();
      resolve({
        state: 'working',
        activity: 'not known',
        certainty: 'likely',
        because: 'it moved whenever we looked',
      });
    }, UNSETTLED_MS);
  });

const UNSETTLED_MS = 50;

const lastLineOf = (session: Session): string => {
  const { screen } = session;
  let last = '';
  for (const { text } of screen.lines(screen.firstLiveLine)) if (text !== '') last = text;
  return session.masked(last);
};
