/** The processes of a process group. */

import type { Proc } from '../../pty/proc.ts';
import { allPids, descendants, type ProcessStat, readStat } from '../../pty/process-tree.ts';

/** Looks below `root` first, where they nearly always are. */
export const membersOf = (proc: Proc, root: number, group: number): ProcessStat[] => {
  const inGroup = (pids: readonly number[]) =>
    pids.flatMap((pid) => readStat(pid, proc) ?? []).filter((stat) => stat.processGroup === group);
  const near = inGroup(descendants(root, proc));
  // A job whose parents are gone has become init's.
  return near.length > 0 ? near : inGroup(allPids(proc));
};

/** The group in the foreground of a terminal, by the word of a program on it. */
export const groupOn = (proc: Proc, root: number, terminal: number): number | undefined => {
  const stats = descendants(root, proc).flatMap((pid) => readStat(pid, proc) ?? []);
  const group = stats.find((stat) => stat.terminal === terminal)?.foregroundGroup ?? -1;
  return group > 0 ? group : undefined;
};
