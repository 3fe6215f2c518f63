/**
 * Makes this process the parent of all orphans among its descendants, and reaps them.
 *
 * Otherwise init adopts a process whose parents have ended, and nobody can tell any more that a session
 * has started it. Only a process of our own may do this, never one that uses the library: it would get
 * children that it does not expect.
 */
import { PR_SET_CHILD_SUBREAPER, WNOHANG } from '../constants.ts';
import { libc } from '../libc.ts';
import { realProc } from '../proc/proc.ts';
import { childPidsOf, hasChildLists } from '../proc/process-info.ts';
import { isProcessDead, readProcessStat } from '../proc/process-stat.ts';
import { isOwnProcess } from './own-processes.ts';

/**
 * Does nothing where the kernel does not list children: we could not tell which of them to reap.
 */
export const becomeSubreaper = (rules: Partial<ReapingRules> = {}): void => {
  if (!hasChildLists()) return;
  if (libc().prctl(PR_SET_CHILD_SUBREAPER, 1) !== 0) return;
  isSubreaper = true;
  const reap = () => reapOrphans({ beforeReaping: () => {}, isAwaited: () => false, ...rules });
  process.on('SIGCHLD', reap);
  // A program that has taken the place of another has its children, and the signals for some are gone.
  reap();
};

export interface ReapingRules {
  /** Called with each that has ended, while it can still be asked how. */
  beforeReaping(pid: number): void;
  /** Whether it is reaped elsewhere in this process. */
  isAwaited(pid: number): boolean;
}

let isSubreaper = false;

/** Whether orphans among the descendants of a process are given to it, as far as we know. */
export const adoptsOrphans = (pid: number): boolean => isSubreaper && isOwnProcess(pid);

/**
 * Orphans are given to our first thread. So are children that Node has started, and Node must reap
 * those itself, or it would never learn how they ended. They are in our own session, and an orphan never
 * is: every program of ours leads a session of its own. (Those are reaped by reaper.ts, and belong to
 * the thread that has started them; to the first, if a program before us in this process has.)
 */
const reapOrphans = ({ beforeReaping, isAwaited }: ReapingRules): void => {
  const ownSession = readProcessStat(process.pid)?.session;
  for (const pid of childPidsOf(process.pid, String(process.pid), realProc)) {
    const stat = readProcessStat(pid);
    if (!stat || !isProcessDead(stat) || stat.session === ownSession || isAwaited(pid)) continue;
    beforeReaping(pid);
    libc().waitpid(pid, new Int32Array(1), WNOHANG);
  }
};
