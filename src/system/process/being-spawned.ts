import { commandLineOf } from '../proc/process-info.ts';
import type { ProcessStat } from '../proc/process-stat.ts';

/**
 * Between fork and exec, a new child of ours still has all our descriptors, and our memory: so it has
 * our command line. Our program alone says nothing, since an orphan that we adopted may run it too.
 */
export const isBeingSpawned = ({ pid, parent }: ProcessStat): boolean => {
  if (parent !== process.pid) return false;
  const line = commandLineOf(pid);
  return line === '' || line === commandLineOf(process.pid);
};
