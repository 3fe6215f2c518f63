/** What the foreground threads do, in one word, and which of them to name. Pure, like the judge. */
import type { ThreadEvidence } from '../system/foreground/observe-thread.ts';
import type { Activity } from './verdict.ts';

export const isThreadBusy = ({ doing }: ThreadEvidence): boolean =>
  doing === 'running' || doing === 'on the disk';

/** What the busiest thread does. */
export const activityOfThreads = (threads: readonly ThreadEvidence[]): Activity => {
  const isAny = (state: ThreadEvidence['doing']) => threads.some(({ doing }) => doing === state);
  const isBlockedOn = (what: ThreadEvidence['blockedOn']) =>
    threads.some(({ blockedOn }) => blockedOn === what);
  if (isAny('running')) return 'computing';
  if (isAny('on the disk')) return 'on the disk';
  if (isBlockedOn('the network') || isBlockedOn('new connections')) return 'on the network';
  if (isBlockedOn('a timer')) return 'sleeping';
  if (isAny('stopped')) return 'stopped';
  if (isBlockedOn('a pipe')) return 'waiting for another process';
  if (isBlockedOn('a child')) return 'waiting for a child';
  return 'not known';
};

/** The thread that a verdict names: one that reads the terminal, else a busy one, else the last. */
export const foregroundThread = (threads: readonly ThreadEvidence[]): ThreadEvidence | undefined =>
  threads.find(({ terminalWait }) => terminalWait !== undefined) ??
  threads.findLast(isThreadBusy) ??
  threads.at(-1);
