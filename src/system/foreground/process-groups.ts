/** The processes of a process group. */
import type { ProcReader } from '../proc/proc.ts';
import { allPids } from '../proc/process-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { processWithDescendants } from '../process/process-tree.ts';

/** Looks below `root` first, where they nearly always are. */
export const processGroupMembers = (
  proc: ProcReader,
  root: number,
  group: number,
): ProcessStat[] => {
  const isInGroup = ({ processGroup }: ProcessStat) => processGroup === group;
  const near = processWithDescendants(root, proc).filter(isInGroup);
  if (near.length > 0) return near;
  // A job whose parents are gone has become init's.
  return allPids(proc)
    .flatMap((pid) => readProcessStat(pid, proc) ?? [])
    .filter(isInGroup);
};

/** The group in the foreground of a terminal, by the word of a program on it. */
export const foregroundGroupOnTerminal = (
  proc: ProcReader,
  root: number,
  terminal: number,
): number | undefined => {
  const onIt = processWithDescendants(root, proc).find((stat) => stat.terminal === terminal);
  const group = onIt?.foregroundGroup ?? -1;
  return group > 0 ? group : undefined;
};
