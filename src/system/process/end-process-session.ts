/**
 * Ends a session: every process in it, and on request those that have left it.
 *
 * Background jobs keep the session id, also if their parent has ended. A process that calls setsid
 * gets a new one. We recognise it by the session's mark, by a variable in its environment, because it
 * holds our terminal or pipe, or by its parents. If several sessions may have started it, all of them name
 * it, and it is ended when all of them were closed by force.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { WNOHANG } from '../constants.ts';
import { libc } from '../libc.ts';
import { hasFileOpen, type OpenFileId } from '../proc/descriptor-info.ts';
import { environmentVariableOf } from '../proc/process-info.ts';
import { isProcessDead, isSame, type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { isBeingSpawned } from './being-spawned.ts';
import { freezeProcesses, newestPidNow, startedSince } from './freeze-processes.ts';
import { isOwnProcess } from './own-processes.ts';
import {
  forgetEnded,
  isOfOtherCode,
  type KnownSession,
  possibleStarters,
  startersIn,
} from './possible-starters.ts';
import { allProcesses } from './process-tree.ts';
import { hasSessionMark } from './session-mark.ts';
import { SESSION_VARIABLE } from './session-variable.ts';
import { signalProcess } from './signal-process.ts';

export interface Survivor {
  pid: number;
  name: string;
}

/** A session that is being ended. */
export interface ProcessSessionEnding extends KnownSession {
  /** The session id, which is the leader's pid. */
  sid: number;
  /** When the leader started. It cannot have started a process that is older. */
  startTime: number;
  leavers: ProcessStat[];
  /** Its terminal or output pipe. Absent after we have closed it ourselves. */
  file?: OpenFileId;
  /** When SIGKILL is sent. A second call of `close` may make it earlier. */
  killAtMs: number;
  /** The signal that asks it to end, in place of a hang-up and SIGTERM. */
  signal?: string;
}

/** The part of the grace period after SIGHUP. Shells and REPLs end on it within milliseconds. */
const HANGUP_SHARE = 0.25;
/** A killed process is gone at once, unless it is in a system call that cannot be interrupted. */
const KILL_MS = 1000;
/** The longest pause between two checks whether the processes are gone. */
const MAX_PAUSE_MS = 20;

type Step = [signals: string[], untilMs: () => number];

/** Resolves to the processes that could not be ended. */
export const endProcessSession = async (ending: ProcessSessionEnding): Promise<ProcessStat[]> => {
  const startedMs = performance.now();
  const hangupEndsMs = () => startedMs + (ending.killAtMs - startedMs) * HANGUP_SHARE;
  // A stopped job does not receive SIGHUP before it is continued.
  const hangUp: Step = [['SIGHUP', 'SIGCONT'], hangupEndsMs];
  const steps: Step[] = [
    ...(ending.signal === undefined ? [hangUp] : []),
    [[ending.signal ?? 'SIGTERM', 'SIGCONT'], () => ending.killAtMs],
    [['SIGKILL'], () => Math.max(startedMs, ending.killAtMs) + KILL_MS],
  ];
  const known: ProcessStat[] = [];
  const group: ProcessKind = {
    list: () => membersOf(ending, known),
    has: (stat) => isInSession(stat, ending),
  };
  let left: ProcessStat[] = [];
  for (const [signals, untilMs] of steps) {
    const isLast = signals.includes('SIGKILL');
    if (!isLast && performance.now() >= ending.killAtMs) continue;
    left = await signalUntilGone(ending, group, signals, untilMs);
    if (left.length === 0) break;
  }
  return left;
};

/** The processes that the session has started, or may have started, and that still run. */
export const findSurvivors = async (ending: ProcessSessionEnding): Promise<ProcessStat[]> => {
  const newest = newestPidNow();
  const all = await allProcesses();
  noteLeavers(ending, all);
  forgetEnded(all, ending);
  const starters = startersIn(all);
  const running = all.filter((stat) => isRunningSince(stat, ending));
  const ours = running.filter((stat) => isOurs(stat, ending));
  // After the terminal is closed, those that hold it cannot be found any more.
  addLeavers(ending, ours);
  const others = running.filter((stat) => starters(stat).includes(ending));
  // One that forks itself anew is never on the list: it is gone before it is read.
  const since = startedSince(newest, (stat) => mayBeOurs(stat, ending));
  const known = ending.leavers.filter(isStillRunning);
  return [
    ...new Map([...ours, ...others, ...since, ...known].map((stat) => [stat.pid, stat])).values(),
  ];
};

/** Their parents may soon have ended, and then nothing would tell who has started them. */
const noteLeavers = (ending: ProcessSessionEnding, all: readonly ProcessStat[]): void => {
  const starters = startersIn(all);
  const isCertain = (stat: ProcessStat) => starters(stat).every((session) => session === ending);
  const sought = all.filter((stat) => stat.session !== ending.sid && isRunningSince(stat, ending));
  addLeavers(
    ending,
    sought.filter((stat) => starters(stat).length > 0 && isCertain(stat)),
  );
};

const addLeavers = ({ leavers }: ProcessSessionEnding, found: readonly ProcessStat[]): void => {
  leavers.push(...found.filter((stat) => !leavers.some(isSameAs(stat))));
};

const isRunningSince = (stat: ProcessStat, { startTime }: ProcessSessionEnding): boolean =>
  stat.startTime >= startTime && !isProcessDead(stat);

const mayBeOurs = (stat: ProcessStat, ending: ProcessSessionEnding): boolean =>
  stat.startTime >= ending.startTime &&
  (isOurs(stat, ending) || possibleStarters(stat).includes(ending));

const isToBeKilled = (stat: ProcessStat, ending: ProcessSessionEnding): boolean =>
  isOurs(stat, ending) || ending.leavers.some(isSameAs(stat)) || isUnwanted(stat, ending);

/** Whether all sessions that may have started it were closed by force. */
const isUnwanted = (stat: ProcessStat, ending: ProcessSessionEnding): boolean => {
  const starters = possibleStarters(stat);
  return starters.includes(ending) && starters.every(({ isForced }) => isForced);
};

/**
 * Kills the survivors that were found when the session was closed, and the processes they have started
 * since. Resolves to those that still run.
 */
export const killSurvivors = async (ending: ProcessSessionEnding): Promise<ProcessStat[]> => {
  const untilMs = performance.now() + KILL_MS;
  const kind: ProcessKind = {
    list: async () => (await findSurvivors(ending)).filter((stat) => isToBeKilled(stat, ending)),
    has: (stat) => stat.startTime >= ending.startTime && isToBeKilled(stat, ending),
  };
  await signalUntilGone(ending, kind, ['SIGKILL'], () => untilMs);
  return findSurvivors(ending);
};

/** Which processes are to be ended. */
interface ProcessKind {
  list(): Promise<ProcessStat[]>;
  /** Whether a process that was just started is one of them. */
  has(stat: ProcessStat): boolean;
}

const isInSession = (stat: ProcessStat, ending: ProcessSessionEnding): boolean => {
  if (stat.session !== ending.sid || stat.startTime < ending.startTime) return false;
  const leader = readProcessStat(ending.sid);
  return leader === undefined ? isOurs(stat, ending) : leader.startTime === ending.startTime;
};

/** `known` collects the processes that were found while the session was certainly ours. */
const membersOf = async (
  ending: ProcessSessionEnding,
  known: ProcessStat[],
): Promise<ProcessStat[]> => {
  const all = await allProcesses();
  noteLeavers(ending, all);
  const found = all.filter((stat) => stat.session === ending.sid && !isProcessDead(stat));
  const leader = readProcessStat(ending.sid);
  // While the leader exists, even as a zombie, the session id is taken. After that the kernel may
  // reuse the number for another session, but only when no process of ours is left in it.
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

const isSameAs = (stat: ProcessStat) => (other: ProcessStat) => isSame(stat, other);

/**
 * Signals all processes of a kind, including new ones, until there are none or the time is up. Resolves
 * to those that still run.
 */
const signalUntilGone = async (
  ending: ProcessSessionEnding,
  kind: ProcessKind,
  signals: readonly string[],
  untilMs: () => number,
): Promise<ProcessStat[]> => {
  const isKill = signals.includes('SIGKILL');
  for (let round = 0; ; round++) {
    const found = await findAll(kind);
    if (found.length === 0) return found;
    // It may fork itself anew and end, again and again: then whoever is found is gone already.
    if (isKill && round > 0) found.push(...freezeProcesses((stat) => kind.has(stat)));
    for (const stat of found) for (const signal of signals) signalProcess(stat, signal);
    // On a busy machine the time may be up before the processes are even found. So SIGKILL always gets
    // some time from now on.
    const earliestEndMs = performance.now() + (isKill ? KILL_MS : 0);
    const isTimeUp = () => performance.now() > Math.max(untilMs(), earliestEndMs);
    for (let pauseMs = 1; found.some(isStillRunning) && !isTimeUp(); ) {
      await delay(pauseMs);
      pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
    }
    for (const { pid } of found) if (pid !== ending.sid) reapOrphan(pid);
    const left = found.filter(isStillRunning);
    if (left.length > 0) return left;
    if (performance.now() > untilMs()) return findAll(kind);
  }
};

/** Also those that were started while the list was read. */
const findAll = async (kind: ProcessKind): Promise<ProcessStat[]> => {
  const newest = newestPidNow();
  const listed = await kind.list();
  return listed.length > 0 ? listed : startedSince(newest, (stat) => kind.has(stat));
};

const isStillRunning = (seen: ProcessStat): boolean => {
  const now = readProcessStat(seen.pid);
  return now !== undefined && isSame(now, seen) && !isProcessDead(now);
};

/**
 * If orphans become our children (in the daemon, and as the first process of a container), only we can
 * reap them. For a pid that is not our child this does nothing. The leader is reaped by reaper.ts.
 */
const reapOrphan = (pid: number) => libc().waitpid(pid, new Int32Array(1), WNOHANG);

const isOurs = (stat: ProcessStat, ending: ProcessSessionEnding): boolean =>
  (ending.mark !== undefined && hasSessionMark(stat, ending.mark) && !isOfOtherCode(stat)) ||
  tokenOf(stat) === ending.sessionToken ||
  (ending.file !== undefined && isHolder(stat, ending.file));

/** Whether we cannot read the environment of a process, because it belongs to another user. */
const isHidden = (stat: ProcessStat): boolean => tokenOf(stat) === HIDDEN;

const HIDDEN = Symbol('hidden');
/**
 * The value of SESSION_VARIABLE in each process. If many sessions are closed at once, they share
 * one scan of all processes, so each environment is read once.
 */
const tokens = new WeakMap<ProcessStat, string | typeof HIDDEN | undefined>();

const tokenOf = (stat: ProcessStat): string | typeof HIDDEN | undefined => {
  if (!tokens.has(stat)) tokens.set(stat, readToken(stat));
  return tokens.get(stat);
};

const readToken = ({ pid }: ProcessStat): string | typeof HIDDEN | undefined => {
  const token = environmentVariableOf(pid, SESSION_VARIABLE);
  if (token.missing) return token.missing === 'denied' ? HIDDEN : undefined;
  return token.value;
};

const isHolder = (stat: ProcessStat, file: OpenFileId): boolean =>
  !isOwnProcess(stat.pid) && !isBeingSpawned(stat) && hasFileOpen(stat.pid, file);
