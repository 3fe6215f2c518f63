/**
 * The processes that a program has left behind: it, or a descendant, has started them, and their parents
 * have ended. The kernel gives such a process to init, or to the nearest ancestor that has asked for
 * orphans, so it is now a child of one of the ancestors, and not older than the program. In a sandbox it
 * is given to the first process there.
 */
import type { ProcReader } from '../proc/proc.ts';
import { type Family, familyOf, newestPid } from '../proc/process-info.ts';
import { type ProcessStat, rereadProcessStat } from '../proc/process-stat.ts';
import { isBeingSpawned } from '../process/being-spawned.ts';
import { MAX_GENERATIONS, sessionTokenOf } from '../process/lineage.ts';
import { isOwnProcess } from '../process/own-processes.ts';
import { processWithDescendants } from '../process/process-tree.ts';
import { adoptsOrphans } from '../process/subreaper.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { sharesFile } from './shared-files.ts';

/** A program and its descendants, and the newest pid on the machine just before they were listed. */
export interface ProcessTree {
  processes: readonly ProcessStat[];
  newestPid: string | undefined;
}

export const treeOf = (root: number, proc: ProcReader): ProcessTree => {
  const newest = newestPid(proc);
  return { newestPid: newest, processes: processWithDescendants(root, proc) };
};

/**
 * What there was when a program had no orphans. A stranger does not become one, so nobody need be looked
 * at again, which would take as long as all the rest of an observation.
 */
interface WithoutOrphans {
  /** The children of the ancestors. */
  children: string;
  /** While this is the same, not even they need be listed. */
  newestPid: string | undefined;
}

const withoutOrphans = new Map<string, WithoutOrphans>();
const MAX_KNOWN = 1024;

/**
 * The orphans of the first program of this terminal. `awaited`: the files that it waits for. A process
 * of which nothing else is known is one of its orphans if it has such a file open.
 */
export const orphansOf = (
  terminal: ObservedTerminal,
  tree: ProcessTree,
  awaited: ReadonlySet<string>,
  proc: ProcReader,
): ProcessStat[] => {
  const [root] = tree.processes;
  if (root === undefined) return [];
  const key = [root.pid, terminal.device, terminal.foregroundGroup, ...awaited].join();
  const known = withoutOrphans.get(key);
  if (known?.newestPid !== undefined && known.newestPid === tree.newestPid) return [];
  const families = [...familiesAbove(root, proc), ...sandboxesIn(tree, proc)];
  const children = families.map((family) => family.children).join();
  const sought = { terminal, root, awaited };
  const { orphans, isDecided } =
    known?.children === children
      ? { orphans: [], isDecided: true }
      : findOrphans(sought, families, proc);
  if (withoutOrphans.size >= MAX_KNOWN) withoutOrphans.clear();
  if (isDecided && orphans.length === 0)
    withoutOrphans.set(key, { children, newestPid: isFlat(tree) ? tree.newestPid : undefined });
  return orphans;
};

/** Otherwise a process can become an orphan, when its parent ends, without any process being started. */
const isFlat = ({ processes: [root, ...others] }: ProcessTree): boolean =>
  others.every(({ parent }) => parent === root?.pid);

const familiesAbove = ({ parent }: ProcessStat, proc: ProcReader): Family[] => {
  const families: Family[] = [];
  let next = parent;
  for (let steps = 0; next > 0 && steps < MAX_GENERATIONS; steps++) {
    const family = familyOf(next, proc);
    if (family === undefined) break;
    families.push(family);
    if (adoptsOrphans(next)) break;
    next = family.parent;
  }
  return families;
};

/** Of bubblewrap's second process, which is the first in its namespace. It has started one program. */
const sandboxesIn = ({ processes }: ProcessTree, proc: ProcReader): Family[] =>
  processes.flatMap((stat) => {
    const isFirst =
      stat.name === BUBBLEWRAP &&
      processes.some(({ pid, name }) => pid === stat.parent && name === BUBBLEWRAP);
    const family = isFirst ? familyOf(stat.pid, proc) : undefined;
    if (family === undefined) return [];
    const [_program, ...adopted] = family.children.split(' ').filter(Boolean);
    // It shares the session of what has started it, but none of them is its job.
    return { ...family, session: 0, children: adopted.join(' ') };
  });

const BUBBLEWRAP = 'bwrap';

interface Sought {
  terminal: ObservedTerminal;
  root: ProcessStat;
  awaited: ReadonlySet<string>;
}

/** Not decided: about one of the processes it cannot be told yet. */
const findOrphans = (
  { terminal: { device, foregroundGroup }, root, awaited }: Sought,
  families: readonly Family[],
  proc: ProcReader,
): { orphans: ProcessStat[]; isDecided: boolean } => {
  const token = sessionTokenOf(root.pid, proc);
  const orphans: ProcessStat[] = [];
  let isDecided = true;
  for (const { session, children } of families) {
    for (const pid of children.split(' ').filter(Boolean).map(Number)) {
      // We hold the terminal too, and may be younger than the program: it may have been handed over to us.
      if (pid === root.pid || isOwnProcess(pid)) continue;
      // Most are older than the program, and are asked about again with the next one.
      const stat = rereadProcessStat(pid, proc, root.startTime);
      if (stat === undefined) continue;
      if (stat.processGroup === foregroundGroup) {
        orphans.push(stat);
        continue;
      }
      // The other children of an ancestor within the session are no orphans, but its own: its jobs. And
      // what has another terminal is the program of another session of ours.
      const isElsewhere = stat.terminal !== 0 && stat.terminal !== device;
      if (session === root.session || isElsewhere) continue;
      // It may have left the group and the session (a daemon), but seldom its environment.
      const theirs = sessionTokenOf(pid, proc);
      if (theirs === undefined && isBeingSpawned(stat)) isDecided = false;
      else if (theirs === undefined ? sharesFile(pid, awaited, proc) : theirs === token)
        orphans.push(stat);
    }
  }
  return { orphans, isDecided };
};
