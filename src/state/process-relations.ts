/**
 * How those in the foreground that work are related to the one that reads the terminal. Pure, as the
 * judge is.
 */

import type { ThreadEvidence } from '../system/foreground/thread.ts';
import { isBusy } from './activity.ts';

/**
 * `itself`: the reader's own process, or one that started it. `its own`: only what it has started, and
 * it waits for none of that. `unclear`: the members of a pipeline, say.
 */
export type WorkerRelation = 'itself' | 'its own' | 'unclear';

type Threads = readonly ThreadEvidence[];

export const workerRelation = (threads: Threads): WorkerRelation => {
  const readers = threads.filter(({ terminalWait }) => terminalWait !== undefined);
  const busy = threads.filter(isBusy);
  const isWithReader = (worker: ThreadEvidence) =>
    readers.some(({ pid }) => pid === worker.pid || isBelow(pid, worker.pid, threads));
  if (busy.some(isWithReader)) return 'itself';
  const [reader] = readers;
  const isOne = reader !== undefined && readers.every(({ pid }) => pid === reader.pid);
  if (!isOne || !busy.every(({ pid }) => isBelow(pid, reader.pid, threads))) return 'unclear';
  return threads.some((thread) => thread.pid === reader.pid && mayAwaitOthers(thread))
    ? 'unclear'
    : 'its own';
};

/** Those in the foreground without what the reader has started. */
export const withoutReaderChildren = (threads: Threads): ThreadEvidence[] => {
  const reader = threads.find(({ terminalWait }) => terminalWait !== undefined)?.pid;
  return threads.filter(({ pid }) => reader === undefined || !isBelow(pid, reader, threads));
};

/** A finder that reads keys in one thread, and in another what the program it has started finds. */
const mayAwaitOthers = ({ terminalWait, blockedOn }: ThreadEvidence): boolean =>
  terminalWait === undefined
    ? blockedOn !== 'another thread' && blockedOn !== 'a signal'
    : terminalWait.withPeer || terminalWait.isBlindRelay;

/** Parents outside of the foreground are not known here: what is below them is not seen to be. */
const isBelow = (pid: number, ancestor: number, threads: Threads): boolean => {
  const seen = new Set<number>();
  let at = threads.find((thread) => thread.pid === pid);
  while (at !== undefined && !seen.has(at.pid)) {
    const { parent } = at;
    if (parent === ancestor) return true;
    seen.add(at.pid);
    at = threads.find((thread) => thread.pid === parent);
  }
  return false;
};
