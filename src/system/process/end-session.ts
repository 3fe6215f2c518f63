/**
 * Ends a session: every process in it, and on request those that left it.
 *
 * Background jobs and re-parented ones keep the session id. A process that called setsid does not:
 * it is known by a variable in its environment, or by a descriptor of ours that it holds.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { WNOHANG } from '../constants.ts';
import { libc } from '../libc.ts';
import { type HeldFile, holdsFile } from '../proc/descriptor-info.ts';
import { environmentVariableOf, programPathOf } from '../proc/process-info.ts';
import { isProcessDead, type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { allProcesses, processesOfSession } from './process-tree.ts';
import { signalNumber } from './signals.ts';

/** The variable that marks what a session has started, whatever became of it. */
export const SESSION_VARIABLE = 'REPARTEE_SESSION';

export interface Survivor {
  pid: number;
  name: string;
}

/** A session to be ended. */
export interface ProcessSessionEnding {
  /** The leader's pid, which is the session's id. */
  session: number;
  /** When the leader started: what started earlier cannot be its work. */
  startTime: number;
  /** The value of MARK in its environment. */
  mark: string;
  /** Absent once we have closed it ourselves. */
  file?: HeldFile;
  /** When SIGKILL is sent; may be brought forward meanwhile. */
  killAtMs: number;
  /** How it is asked to end, if not by a hang-up. */
  signal?: string;
}

/** The part of the grace period that a hang-up gets: shells and REPLs end on it within milliseconds. */
const HANGUP_SHARE = 0.25;
/** A killed process is gone at once, unless it sits in a system call that cannot be interrupted. */
const KILL_MS = 1000;
const LONGEST_LOOK_MS = 20;

type Step = [signals: string[], untilMs: () => number];

/** Resolves to those that could not be ended. */
export const endProcessSession = async (ending: ProcessSessionEnding): Promise<ProcessStat[]> => {
  const startedMs = performance.now();
  const hangupEndsMs = () => startedMs + (ending.killAtMs - startedMs) * HANGUP_SHARE;
  // A stopped job does not see a hang-up before it is continued.
  const hangUp: Step = [['SIGHUP', 'SIGCONT'], hangupEndsMs];
  const steps: Step[] = [
    ...(ending.signal === undefined ? [hangUp] : []),
    [[ending.signal ?? 'SIGTERM', 'SIGCONT'], () => ending.killAtMs],
    [['SIGKILL'], () => Math.max(startedMs, ending.killAtMs) + KILL_MS],
  ];
  const known: ProcessStat[] = [];
  const members = () => membersOf(ending, known);
  let left: ProcessStat[] = [];
  for (const [signals, untilMs] of steps) {
    const isLast = signals.includes('SIGKILL');
    if (!isLast && performance.now() >= ending.killAtMs) continue;
    left = await endedBy(ending, members, signals, untilMs);
    if (left.length === 0) break;
  }
  return left;
};

/** What the session started and is still there. */
export const findSurvivors = async (ending: ProcessSessionEnding): Promise<ProcessStat[]> =>
  (await allProcesses()).filter(
    (stat) => stat.startTime >= ending.startTime && !isProcessDead(stat) && isOurs(stat, ending),
  );

/** Those that were found at the closing, and what they started since. Resolves to those still there. */
export const killSurvivors = (
  ending: ProcessSessionEnding,
  known: readonly ProcessStat[],
): Promise<ProcessStat[]> => {
  const untilMs = performance.now() + KILL_MS;
  // Once the terminal is closed, some of them cannot be found by anything any more.
  const list = async () => {
    const found = await findSurvivors(ending);
    const others = known.filter((stat) => !found.some((other) => isSame(other, stat)));
    return [...found, ...others.filter(isThere)];
  };
  return endedBy(ending, list, ['SIGKILL'], () => untilMs);
};

/** `known` remembers those that were seen while the session was surely ours. */
const membersOf = async (
  ending: ProcessSessionEnding,
  known: ProcessStat[],
): Promise<ProcessStat[]> => {
  const found = await processesOfSession(ending.session);
  const leader = readProcessStat(ending.session);
  // While the leader exists, even as a zombie, the session id is taken. Afterwards the kernel may give
  // the number to another session, but only once no process of ours is left in it.
  if (leader?.startTime === ending.startTime) {
    known.push(...found);
    return found;
  }
  if (leader !== undefined) return [];
  return found.filter(
    (stat) =>
      known.some((before) => isSame(before, stat)) || isOurs(stat, ending) || isHidden(stat),
  );
};

const isSame = (a: ProcessStat, b: ProcessStat) => a.pid === b.pid && a.startTime === b.startTime;

/** Signals all that `list` finds, newcomers too, until it finds nothing or time is up. */
const endedBy = async (
  ending: ProcessSessionEnding,
  list: () => Promise<ProcessStat[]>,
  signals: readonly string[],
  untilMs: () => number,
): Promise<ProcessStat[]> => {
  for (;;) {
    const found = await list();
    if (found.length === 0) return found;
    for (const { pid } of found) for (const signal of signals) trySignal(pid, signal);
    // On a busy machine the time may have been up before they were even found.
    const leastMs = performance.now() + (signals.includes('SIGKILL') ? KILL_MS : 0);
    const isTimeUp = () => performance.now() > Math.max(untilMs(), leastMs);
    for (let pauseMs = 1; found.some(isThere) && !isTimeUp(); ) {
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, LONGEST_LOOK_MS);
    }
    for (const { pid } of found) if (pid !== ending.session) reapOrphan(pid);
    const left = found.filter(isThere);
    if (left.length > 0 || performance.now() > untilMs()) return left;
  }
};

const isThere = (seen: ProcessStat): boolean => {
  const now = readProcessStat(seen.pid);
  return now !== undefined && isSame(now, seen) && !isProcessDead(now);
};

const trySignal = (pid: number, signal: string) => {
  try {
    process.kill(pid, signalNumber(signal));
  } catch (error) {
    // Gone meanwhile, or another user's: then it is reported as a survivor.
    const { code = '' } = error as NodeJS.ErrnoException;
    if (!['ESRCH', 'EPERM'].includes(code)) throw error;
  }
};

/**
 * Where we are a container's first process, orphans become our children, and only we can reap them.
 * For any other pid this does nothing. The leader is left to the reaper.
 */
const reapOrphan = (pid: number) => libc().waitpid(pid, new Int32Array(1), WNOHANG);

const isOurs = (stat: ProcessStat, ending: ProcessSessionEnding): boolean =>
  markOf(stat) === ending.mark || (ending.file !== undefined && isHolder(stat, ending.file));

/** Another user's, so it can bear no mark that we could read. */
const isHidden = (stat: ProcessStat): boolean => markOf(stat) === HIDDEN;

const HIDDEN = Symbol('hidden');
/** One scan serves many sessions that close at once, and so does what was read for it. */
const marks = new WeakMap<ProcessStat, string | typeof HIDDEN | undefined>();

const markOf = (stat: ProcessStat): string | typeof HIDDEN | undefined => {
  if (!marks.has(stat)) marks.set(stat, readMark(stat));
  return marks.get(stat);
};

const readMark = ({ pid }: ProcessStat): string | typeof HIDDEN | undefined => {
  const mark = environmentVariableOf(pid, SESSION_VARIABLE);
  if (mark.missing) return mark.missing === 'denied' ? HIDDEN : undefined;
  return mark.value;
};

const isHolder = (stat: ProcessStat, file: HeldFile): boolean =>
  stat.pid !== process.pid && !isBeingSpawned(stat) && holdsFile(stat.pid, file);

/** A child of ours that is not yet the program it will be still has all of our descriptors. */
const isBeingSpawned = ({ pid, parent }: ProcessStat): boolean => {
  if (parent !== process.pid) return false;
  const program = programPathOf(pid);
  return program === undefined || program === programPathOf('self');
};
