/** Whether we ourselves run in a session: whoever shows a session in itself never comes to an end. */
import { readStat } from '../../system/proc/process-stat.ts';

/** `leader` is the session's own program. */
export const isInsideSession = (leader: number): boolean => {
  let pid: number | undefined = process.pid;
  while (pid !== undefined && pid > 1 && pid !== leader) pid = readStat(pid)?.parent;
  return pid === leader;
};
