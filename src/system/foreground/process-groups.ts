/** The processes of a process group, and those that were left behind. */
import type { ProcReader } from '../proc/proc.ts';
import { allPids, type Family, familyOf } from '../proc/process-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { isBeingSpawned } from '../process/end-process-session.ts';
import { MAX_GENERATIONS, sessionTokenOf } from '../process/lineage.ts';
import { processWithDescendants } from '../process/process-tree.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';

/** Searches the descendants of `root` first, because the members are nearly always among them. */
export const processGroupMembers = (
  proc: ProcReader,
  root: number,
  group: number,
): ProcessStat[] => {
  const isInGroup = ({ processGroup }: ProcessStat) => processGroup === group;
  const members = processWithDescendants(root, proc).filter(isInGroup);
  if (members.length > 0) return members;
  // If the parents of a job have ended, init is its parent.
  return allPids(proc)
    .flatMap((pid) => readProcessStat(pid, proc) ?? [])
    .filter(isInGroup);
};

/**
 * The processes that `root` has started, or its descendants, and whose parents have ended. The kernel
 * gives such a process to init, or to the nearest ancestor that has asked for orphans, so it is now a
 * child of one of the ancestors of `root`, and not older than `root`. It may have left the group and the
 * session too (a daemon), but seldom its environment. Without one, `isTied` decides.
 */
export const orphansOf = (
  proc: ProcReader,
  { pid: root, device, foregroundGroup }: ObservedTerminal,
  isTied: (pid: number) => boolean = () => false,
): ProcessStat[] => {
  const own = readProcessStat(root, proc);
  if (own === undefined) return [];
  const families = familiesAbove(own, proc);
  const allChildren = families.map(({ children }) => children).join();
  // A relay may be the first program of our terminal too: there other processes are elsewhere.
  const key = `${root} ${device}`;
  if (childrenWhenAlone.get(key) === allChildren) return [];
  const token = sessionTokenOf(root, proc);
  const isStarted = (stat: ProcessStat): boolean => {
    const theirs = sessionTokenOf(stat.pid, proc);
    if (theirs !== undefined) return theirs === token;
    return !isBeingSpawned(stat) && isTied(stat.pid);
  };
  const found: ProcessStat[] = [];
  let isAlone = true;
  for (const { session, children } of families) {
    for (const child of children.split(' ').filter(Boolean).map(Number)) {
      // We hold the terminal too, and may be younger than the program: it may have been handed over to us.
      const stat =
        child === root || child === process.pid ? undefined : readProcessStat(child, proc);
      if (stat === undefined || stat.startTime < own.startTime) continue;
      // The other children of an ancestor within the session are no orphans, but its own: its jobs. And
      // what has another terminal is the program of another session of ours.
      const isElsewhere = stat.terminal !== 0 && stat.terminal !== device;
      const isOrphan = session !== own.session && !isElsewhere;
      isAlone &&= isElsewhere;
      if (stat.processGroup === foregroundGroup || (isOrphan && isStarted(stat))) found.push(stat);
    }
  }
  if (childrenWhenAlone.size >= MAX_KNOWN) childrenWhenAlone.clear();
  if (isAlone && found.length === 0) childrenWhenAlone.set(key, allChildren);
  return found;
};

/**
 * The children of a program's ancestors when all of them were older than the program, or on other
 * terminals. As long as they are the same, there is no orphan. Looking at each takes as long as all the
 * rest of an observation.
 */
const childrenWhenAlone = new Map<string, string>();
const MAX_KNOWN = 1024;

const familiesAbove = ({ parent }: ProcessStat, proc: ProcReader): Family[] => {
  const families: Family[] = [];
  let next = parent;
  for (let steps = 0; next > 0 && steps < MAX_GENERATIONS; steps++) {
    const family = familyOf(next, proc);
    if (family === undefined) break;
    families.push(family);
    next = family.parent;
  }
  return families;
};
