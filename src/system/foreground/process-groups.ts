/** The processes of a process group. */
import type { ProcReader } from '../proc/proc.ts';
import { allPids } from '../proc/process-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { processWithDescendants } from '../process/process-tree.ts';

/** Searches the descendants of `root` first, because the members are nearly always among them. */
export const processGroupMembers = (
  proc: ProcReader,
  root: number,
  group: number,
): ProcessStat[] => {
  const isInGroup = ({ processGroup }: ProcessStat) => processGroup === group;
  const members = processWithDescendants(root, proc).filter(isInGroup);
  // Between two jobs of a shell, the group of the last one is still in the foreground though it is gone.
  if (members.length > 0 || proc.group(group).missing === 'gone') return members;
  // If the parents of a job have ended, init is its parent.
  return allPids(proc)
    .flatMap((pid) => readProcessStat(pid, proc) ?? [])
    .filter(isInGroup);
};
