/**
 * Asks a program to end whose session nobody goes on with. The kernel does that when a terminal is closed;
 * a program on pipes may neither read nor write, and never notice.
 */
import { readProcessStat } from '../proc/process-stat.ts';
import { isOwnProcess } from './own-processes.ts';
import { sendSignal } from './signals.ts';

/** Does nothing if it has ended. */
export const hangUpProgram = (pid: number): void => {
  const stat = pid > 1 ? readProcessStat(pid) : undefined;
  // By now the pid may belong to another process. Ours leads a session, and its parent is us or our keeper.
  if (stat?.session !== pid || !isOwnProcess(stat.parent)) return;
  try {
    for (const name of ['SIGHUP', 'SIGCONT']) sendSignal(name, [-pid]);
  } catch {
    // It belongs to another user. It finds its pipes closed.
  }
};
