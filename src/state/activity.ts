/** What those in the foreground do, in one word. Pure, as the judge is. */
import type { ThreadEvidence } from '../system/foreground/thread.ts';
import type { Activity } from './verdict.ts';

export const isBusy = ({ doing }: ThreadEvidence): boolean =>
  doing === 'running' || doing === 'on the disk';

/** What the busiest of the threads does. */
export const activityOf = (threads: readonly ThreadEvidence[]): Activity => {
  const does = (doing: ThreadEvidence['doing']) => threads.some((thread) => thread.doing === doing);
  const on = (what: ThreadEvidence['blockedOn']) =>
    threads.some(({ blockedOn }) => blockedOn === what);
  if (does('running')) return 'computing';
  if (does('on the disk')) return 'on the disk';
  if (on('the network')) return 'on the network';
  if (on('a timer')) return 'sleeping';
  if (does('stopped')) return 'stopped';
  if (on('a pipe')) return 'waiting for another process';
  if (on('a child')) return 'waiting for a child';
  return 'not known';
};
