/**
 * Ends a session: every process in it, and on request those that left it.
 *
 * Background jobs and re-parented ones keep the session id. A process that called setsid does not:
 * it is known by a variable in its environment, or by a descriptor of ours that it holds.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { libc, WNOHANG } from './libc.ts';
import { allProcesses, type ProcessStat, readStat, sessionMembers } from './process-tree.ts';

/** The variable that marks what a session has started, whatever became of it. */
export const MARK = 'REPARTEE_SESSION';

export interface Survivor {
  pid: number;
  name: string;
}

export interface Ending {
  /** The leader's pid, which is the session's id. */
  session: number;
  /** When the leader started: what started earlier cannot be its work. */
  startTime: number;
  /** The value of MARK in its environment. */
  mark: string;
  /** What /proc/PID/fd shows for our terminal or pipe, such as "/dev/pts/3". */
  link: string;
}

/** The part of the grace period that a hang-up gets: shells and REPLs end on it within milliseconds. */
const HANGUP_SHARE = 0.25;
/** A killed process is gone at once, unless it sits in a system call that cannot be interrupted. */
const KILL_MS = 1000;
const LONGEST_PAUSE_MS = 20;

/** Resolves when no process is left in the session, or none that can be ended. */
export const endSession = async (ending: Ending, graceMs: number): Promise<void> => {
  // A stopped job does not see a hang-up before it is continued.
  const steps: [signals: NodeJS.Signals[], waitMs: number][] = [
    [['SIGHUP', 'SIGCONT'], graceMs * HANGUP_SHARE],
    [['SIGTERM'], graceMs * (1 - HANGUP_SHARE)],
    [['SIGKILL'], KILL_MS],
  ];
  for (const [signals, waitMs] of graceMs > 0 ? steps : steps.slice(-1)) {
    if (await endedBy(ending, members, signals, waitMs)) return;
  }
};

/** What the session started and is still there. */
export const survivorsOf = async (ending: Ending): Promise<ProcessStat[]> => {
  const later = (await allProcesses()).filter(
    (stat) => stat.startTime >= ending.startTime && stat.state !== 'Z',
  );
  return later.filter((stat) => isMarked(stat, ending) || isHolder(stat, ending));
};

export const killSurvivors = (ending: Ending): Promise<boolean> =>
  endedBy(ending, survivorsOf, ['SIGKILL'], KILL_MS);

const members = async (ending: Ending): Promise<ProcessStat[]> => {
  const found = await sessionMembers(ending.session);
  const leader = readStat(ending.session);
  // While the leader is there, even as a zombie, the session id is taken. Afterwards the number may
  // have gone to somebody else's session, and only a process that bears our mark is ours.
  if (leader?.startTime === ending.startTime) return found;
  return found.filter((stat) => isMarked(stat, ending) || isHolder(stat, ending));
};

/** Signals all that `list` finds, newcomers too, until it finds nothing or time is up. */
const endedBy = async (
  ending: Ending,
  list: (ending: Ending) => Promise<ProcessStat[]>,
  signals: readonly NodeJS.Signals[],
  waitMs: number,
): Promise<boolean> => {
  const deadline = performance.now() + waitMs;
  for (;;) {
    const found = await list(ending);
    if (found.length === 0) return true;
    if (performance.now() > deadline) return false;
    for (const { pid } of found) for (const signal of signals) trySignal(pid, signal);
    for (let pauseMs = 1; found.some(isAlive) && performance.now() <= deadline; ) {
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS);
    }
    for (const { pid } of found) if (pid !== ending.session) reapOrphan(pid);
  }
};

const isAlive = ({ pid, startTime }: ProcessStat): boolean => {
  const now = readStat(pid);
  return now !== undefined && now.startTime === startTime && now.state !== 'Z';
};

const trySignal = (pid: number, signal: NodeJS.Signals) => {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone meanwhile, or another user's: then it is reported as a survivor.
  }
};

/**
 * Orphans become our children where we are a container's first process, and nobody else reaps them.
 * For any other pid this does nothing. The leader is the reaper's.
 */
const reapOrphan = (pid: number) => libc().waitpid(pid, new Int32Array(1), WNOHANG);

const isMarked = ({ pid }: ProcessStat, { mark }: Ending): boolean => {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(`${MARK}=${mark}`);
  } catch {
    return false;
  }
};

const isHolder = ({ pid, parent }: ProcessStat, { link }: Ending): boolean => {
  // A child of ours that is just being spawned still has all of our descriptors.
  if (parent === process.pid || pid === process.pid) return false;
  try {
    return readdirSync(`/proc/${pid}/fd`).some((fd) => isLink(`/proc/${pid}/fd/${fd}`, link));
  } catch {
    return false;
  }
};

const isLink = (path: string, link: string): boolean => {
  try {
    return readlinkSync(path) === link;
  } catch {
    return false;
  }
};
