/** Finds out whether we run inside a session. A session shown in itself would redraw for ever. */
import { readProcessStat } from '../../system/proc/process-stat.ts';

/** `leader` is the pid of the session's program. */
export const isInsideSession = (leader: number): boolean => {
  let pid: number | undefined = process.pid;
  while (pid !== undefined && pid > 1 && pid !== leader) pid = readProcessStat(pid)?.parent;
  return pid === leader;
};
