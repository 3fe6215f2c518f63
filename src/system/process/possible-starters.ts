/**
 * Which sessions may have started a process, also one that has lost every trace of its session.
 *
 * A process without a trace is found by its parents. If these have ended, it is an orphan, and in the daemon
 * we have adopted it (subreaper.ts): then one of our sessions has started it, and only those come into
 * question that were there when it started.
 */
import { lockLimitsOf } from '../proc/lock-limits.ts';
import { realProc } from '../proc/proc.ts';
import { isProcessDead, isSame, type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { isBeingSpawned } from './being-spawned.ts';
import { MAX_GENERATIONS, sessionTokenOf } from './lineage.ts';
import { isOwnProcess } from './own-processes.ts';
import { markAfterLeaving } from './session-mark.ts';
import { adoptsOrphans } from './subreaper.ts';

/** A session of this process, from before its program is started until nothing of it is left. */
export interface KnownSession {
  sessionToken: string;
  /** See session-mark.ts. */
  mark?: number | undefined;
  /** Absent while its program is being started. */
  sid?: number;
  startTime?: number;
  /** It was closed by force: all that it has started is to be ended. */
  isForced?: boolean;
  isClosed?: boolean;
  /** The processes that it has certainly started and that have left it. */
  leavers?: readonly ProcessStat[];
}

const sessions = new Map<string, KnownSession>();

export const rememberSession = (session: KnownSession): void =>
  void sessions.set(session.sessionToken, session);

/** Called when nothing of it can be left. */
export const forgetSession = ({ sessionToken }: KnownSession): void =>
  void sessions.delete(sessionToken);

/** Somebody who never asks for force: then a process is named by `close`, and never ended. */
const stranger: KnownSession = { sessionToken: '' };

export type ReadStat = (pid: number) => ProcessStat | undefined;

/** Only one if it is certain; none if the process is not below this one and has no trace of a session. */
export const possibleStarters = (
  stat: ProcessStat,
  read: ReadStat = readProcessStat,
): readonly KnownSession[] => {
  const { ancestors, isBelowUs } = ancestryOf(stat, read);
  const oldest = ancestors.at(-1)!;
  // The daemon has adopted all that its sessions have started, so nobody else need be looked at.
  if (!isBelowUs && adoptsOrphans(process.pid)) return [];
  if (isOtherCodes(oldest, isBelowUs)) return [];
  for (const each of ancestors) {
    const session = sessionTracedBy(each);
    if (session !== undefined) return [session];
    const left = sessionLeftOnPurpose(each);
    if (left !== undefined) return [left, stranger];
  }
  if (!adoptsOrphans(process.pid) || isBeingSpawned(oldest)) return [];
  const possible = [...sessions.values()].filter(
    ({ startTime = 0 }) => startTime <= oldest.startTime,
  );
  // A session of the daemon before this one may have started it, and we do not know those that were closed.
  const isOlderThanUs = oldest.startTime < (knownSince ?? ownStat()?.startTime ?? 0);
  return isOlderThanUs ? [...possible, stranger] : possible;
};

/**
 * Whether it stands below a child that other code in this process has started. That may have been while this
 * process had the mark of a session (session-mark.ts), and as another user a child keeps the mark.
 */
export const isOfOtherCode = (stat: ProcessStat): boolean => {
  const { ancestors, isBelowUs } = ancestryOf(stat, readProcessStat);
  return isOtherCodes(ancestors.at(-1)!, isBelowUs);
};

const isOtherCodes = (oldest: ProcessStat, isBelowUs: boolean): boolean => {
  // Most children that Node has started are in our own session, and no program of a session can come to it.
  if (oldest.session === ownStat()?.session) return true;
  // What was orphaned may be our child too. Otherwise our children are the leaders of sessions.
  const mayBeOrphan = adoptsOrphans(process.pid) || process.pid === 1;
  return isBelowUs && !mayBeOrphan && find(({ sid }) => sid === oldest.pid) === undefined;
};

/** The process itself first, up to the child of this process or of init. */
const ancestryOf = (
  stat: ProcessStat,
  read: ReadStat,
): { ancestors: readonly ProcessStat[]; isBelowUs: boolean } => {
  const ancestors = [stat];
  let { parent } = stat;
  while (parent > 1 && !isOwnProcess(parent) && ancestors.length < MAX_GENERATIONS) {
    const child = ancestors.at(-1)!;
    const found = read(parent);
    // A parent is older than its child. Otherwise it has ended, and another process has its pid.
    if (found !== undefined && found.startTime <= child.startTime) {
      ancestors.push(found);
      ({ parent } = found);
    } else {
      const now = readProcessStat(child.pid);
      if (now?.startTime !== child.startTime || now.parent === parent) break;
      ({ parent } = now);
    }
  }
  return { ancestors, isBelowUs: isOwnProcess(parent) };
};

/** The kernel's word first: the environment can be copied, and a limit lowered to another session's mark. */
const sessionTracedBy = (stat: ProcessStat): KnownSession | undefined => {
  for (const session of sessions.values()) {
    if (isMember(stat, session) || session.leavers?.some((each) => isSame(each, stat)))
      return session;
  }
  const token = sessionTokenOf(stat.pid, realProc);
  const { soft, hard } = lockLimitsOf(stat.pid) ?? {};
  return (
    sessions.get(token ?? '') ??
    find(({ mark }) => mark !== undefined && (mark === soft || mark === hard))
  );
};

const find = (isSought: (session: KnownSession) => boolean): KnownSession | undefined =>
  [...sessions.values()].find(isSought);

/** While the leader exists, even as a zombie, its number is taken, and after that while it has members. */
const isMember = (stat: ProcessStat, { sid, startTime = 0 }: KnownSession): boolean =>
  stat.session === sid &&
  stat.startTime >= startTime &&
  (readProcessStat(sid)?.startTime ?? startTime) === startTime;

/** A daemon of ours that was started in a session is to outlive it (`leaveMarkedSession`). */
const sessionLeftOnPurpose = ({ pid }: ProcessStat): KnownSession | undefined => {
  const soft = lockLimitsOf(pid)?.soft;
  return find(({ mark }) => mark !== undefined && soft === markAfterLeaving(mark));
};

/** Called by a program that has taken the place of another in this process: it knows none of its sessions. */
export const knowSessionsOnlySince = (clockTicks: number): void => {
  knownSince = clockTicks;
};

let knownSince: number | undefined;

const ownStat = (): ProcessStat | undefined => {
  own ??= readProcessStat(process.pid);
  return own;
};

let own: ProcessStat | undefined;

/** The same for a list of all processes. If many sessions are closed at once, they share it. */
export const startersIn = (
  list: readonly ProcessStat[],
): ((stat: ProcessStat) => readonly KnownSession[]) => {
  const shared = known.get(list);
  if (shared !== undefined) return shared;
  const byPid = new Map(list.map((stat) => [stat.pid, stat]));
  const starters = new Map<ProcessStat, readonly KnownSession[]>();
  const find = (stat: ProcessStat) => {
    const found = starters.get(stat) ?? possibleStarters(stat, (pid) => byPid.get(pid));
    starters.set(stat, found);
    return found;
  };
  known.set(list, find);
  return find;
};

const known = new WeakMap<readonly ProcessStat[], (stat: ProcessStat) => readonly KnownSession[]>();

/** Forgets the other closed sessions of which nothing in a list of all processes can be. */
export const forgetEnded = (list: readonly ProcessStat[], than: KnownSession): void => {
  const closed = [...sessions.values()].filter((each) => each.isClosed && each !== than);
  if (closed.length === 0) return;
  const starters = startersIn(list);
  const sinceTime = Math.min(...closed.map(({ startTime = 0 }) => startTime));
  const running = list.filter((stat) => stat.startTime >= sinceTime && !isProcessDead(stat));
  const left = new Set(running.flatMap(starters));
  for (const session of closed) if (!left.has(session)) forgetSession(session);
};
