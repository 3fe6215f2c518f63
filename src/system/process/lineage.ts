/**
 * Which processes have started a process, and for which sessions.
 *
 * Two kinds of evidence, since each can be lost: a process that leaves its session and its parents
 * (`setsid`, two forks) keeps its environment, and one whose environment was cleared keeps its parents.
 */
import { type ProcReader, realProc } from '../proc/proc.ts';
import { environmentVariableOf } from '../proc/process-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { isOwnProcess } from './own-processes.ts';
import { SESSION_VARIABLE } from './session-variable.ts';

export interface Lineage {
  /** The process itself first, then its parent, and so on. Empty if it has ended. */
  processes: readonly ProcessStat[];
  /** Whether this process, or its keeper, is an ancestor. It is left out of `processes`. */
  isOurs: boolean;
  /** The values of REPARTEE_SESSION in their environments, nearest first. */
  sessionTokens: readonly string[];
}

/** Deeper than any real tree of processes. Without a limit, a false /proc could hold us for ever. */
export const MAX_GENERATIONS = 128;

export const lineageOf = (
  pid: number,
  proc: ProcReader = realProc,
  isOwn: (pid: number) => boolean = isOwnProcess,
): Lineage => {
  const processes: ProcessStat[] = [];
  let next = pid;
  for (let steps = 0; next > 0 && !isOwn(next) && steps < MAX_GENERATIONS; steps++) {
    const stat = readProcessStat(next, proc);
    const child = processes.at(-1);
    // A parent is older than its child. Otherwise it has ended, and another process has its pid.
    const isParent = stat && (child === undefined || stat.startTime <= child.startTime);
    if (isParent) {
      processes.push(stat);
      next = stat.parent;
    } else {
      // By now the child has another parent.
      const parent = child && readProcessStat(child.pid, proc)?.parent;
      if (parent === undefined || parent === next) break;
      next = parent;
    }
  }
  const isOurs = processes.length > 0 && isOwn(next);
  // The environment of somebody else's ancestors says nothing: theirs may be a session of another daemon.
  const asked = isOurs ? processes : processes.slice(0, 1);
  const sessionTokens = asked.flatMap((each) => sessionTokenOf(each.pid, proc) ?? []);
  return { processes, isOurs, sessionTokens };
};

/** Undefined if it has none, or if we may not look. */
export const sessionTokenOf = (pid: number, proc: ProcReader): string | undefined => {
  const token = environmentVariableOf(pid, SESSION_VARIABLE, proc);
  return token.missing ? undefined : token.value;
};
