/** How busy foreground processes are related to the reader of the terminal. Pure, like the judge. */

import type { ThreadEvidence } from '../system/foreground/observe-thread.ts';
import { isThreadBusy } from './activity.ts';

/**
 * - `reader-is-busy`: the reader's own process is busy, or an ancestor of it.
 * - `only-its-children`: only descendants of the reader are busy, and it waits for none of them.
 * - `unclear`: anything else, such as the members of a pipeline.
 */
export type BusyProcessRelation = 'reader-is-busy' | 'only-its-children' | 'unclear';

type Threads = readonly ThreadEvidence[];

export const relateBusyProcesses = (threads: Threads): BusyProcessRelation => {
  const readers = threads.filter(({ terminalWait }) => terminalWait !== undefined);
  const busy = threads.filter(isThreadBusy);
  const isReaderOrAncestor = (worker: ThreadEvidence) =>
    readers.some(({ pid }) => pid === worker.pid || isDescendant(pid, worker.pid, threads));
  if (busy.some(isReaderOrAncestor)) return 'reader-is-busy';
  const [reader] = readers;
  const isOneReader = reader !== undefined && readers.every(({ pid }) => pid === reader.pid);
  if (!isOneReader || !busy.every(({ pid }) => isDescendant(pid, reader.pid, threads)))
    return 'unclear';
  return threads.some((thread) => thread.pid === reader.pid && mayAwaitOthers(thread))
    ? 'unclear'
    : 'only-its-children';
};

/** The foreground threads without the descendants of the reader. */
export const withoutReaderChildren = (threads: Threads): ThreadEvidence[] => {
  const reader = threads.find(({ terminalWait }) => terminalWait !== undefined)?.pid;
  return threads.filter(({ pid }) => reader === undefined || !isDescendant(pid, reader, threads));
};

/**
 * Whether a thread of the reader may wait for another process. fzf, for example, reads keys in one
 * thread, and the output of a program it has started in another.
 */
const mayAwaitOthers = ({ terminalWait, blockedOn }: ThreadEvidence): boolean =>
  terminalWait === undefined
    ? blockedOn !== 'another thread' && blockedOn !== 'a signal'
    : terminalWait.alsoWaitsForPeer || terminalWait.isBlindRelay;

/** Parents outside the foreground are not known here, so the chain ends at them. */
const isDescendant = (pid: number, ancestor: number, threads: Threads): boolean => {
  const visited = new Set<number>();
  let current = threads.find((thread) => thread.pid === pid);
  while (current !== undefined && !visited.has(current.pid)) {
    const { parent } = current;
    if (parent === ancestor) return true;
    visited.add(current.pid);
    current = threads.find((thread) => thread.pid === parent);
  }
  return false;
};
