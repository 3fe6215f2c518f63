/**
 * Marks all that a session starts, so that it can be found whatever it does.
 *
 * A process can leave its session and its parents, clear its environment and close its descriptors, and
 * then nothing of these tells to whom it belonged. But it keeps its resource limits, through fork and
 * exec and as another user, and every user can read them. The kernel has ignored the limit on file locks
 * since Linux 2.4.25. So each session has a number of its own there, too large to mean anything.
 */
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { CAP_SYS_RESOURCE, RLIMIT_LAYOUT, RLIMIT_LOCKS } from '../constants.ts';
import { libc } from '../libc.ts';
import { type LockLimits, lockLimitsOf } from '../proc/lock-limits.ts';
import { realProc } from '../proc/proc.ts';
import { childPidsOf, hasCapability, threadIdsOf } from '../proc/process-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { processWithDescendants } from './process-tree.ts';
import { adoptsOrphans } from './subreaper.ts';

/** Numbers from here up to twice as much are marks. Each fits into a JavaScript number. */
const FIRST_MARK = 2 ** 48;
const MARK_BYTES = 6;
const ABOVE_MARKS = 2 * FIRST_MARK;
/** Longer than a program takes to start, unless its file is on a slow disk or the machine is busy. */
const CHECK_MS = 20;
/** Where the kernel does not list children, the next program waits so long for one from a slow disk. */
const MAX_TURN_MS = 1000;

/**
 * The mark of a session. Inside a session of another daemon we have its mark, and only root can give a
 * larger one. Undefined if there is no room for one.
 */
export const sessionMarkOf = (sessionToken: string): number | undefined => {
  const number = createHash('sha256').update(sessionToken).digest().readUIntBE(0, MARK_BYTES);
  largestMark ??= lockLimitsOf(process.pid)?.hard ?? 0;
  const room = Math.min(largestMark - FIRST_MARK, FIRST_MARK);
  return room < 1 ? undefined : FIRST_MARK + (number % room);
};

let largestMark: number | undefined;

/** Never for a process of our own session: no program of a session can come back to it. */
export const hasSessionMark = (stat: ProcessStat, mark: number): boolean => {
  ownSession ??= readProcessStat(process.pid)?.session;
  if (stat.session === ownSession) return false;
  const limits = lockLimitsOf(stat.pid);
  return limits?.soft === mark || limits?.hard === mark;
};

let ownSession: number | undefined;

export type StartedProgram = { pid: number; errno?: undefined } | { errno: string };

/**
 * Starts a program with the mark of a session. Our own process has the mark meanwhile, so that the program
 * is born with it: it may fork and end before we know its pid.
 */
export const startMarked = async (
  sessionToken: string | undefined,
  start: () => Promise<StartedProgram>,
): Promise<StartedProgram> => {
  const mark = sessionToken === undefined ? undefined : sessionMarkOf(sessionToken);
  if (mark === undefined) return start();
  const started = await inTurn(mark, start);
  if (started.errno === undefined && !canRaiseLimits()) keepMark(mark, started.pid);
  return started;
};

/**
 * Without root's help a program cannot raise a hard limit, so it keeps the mark. Of those who are not root,
 * only a program that has started can get it: their own process could not raise it again. The soft limit
 * alone is reset by su and sudo (pam_limits).
 */
const keepMark = (mark: number, program: number): void => {
  for (const { pid } of processWithDescendants(program))
    setLockLimits(pid, { soft: mark, hard: mark });
};

/** One after another, since a process has only one such limit. */
const inTurn = (mark: number, start: () => Promise<StartedProgram>): Promise<StartedProgram> =>
  new Promise((resolve, reject) => {
    lastTurn = lastTurn.then(async () => {
      const own = lockLimitsOf(process.pid)!;
      let isOver = false;
      const end = () => {
        if (!isOver) takeOwnMarkOff();
        isOver = true;
      };
      limitsBeforeTurn = own;
      setLockLimits(process.pid, { soft: mark, hard: canRaiseLimits() ? mark : own.hard });
      const starting = start().finally(end);
      const started = starting.then((program) => {
        unmarkOthers(mark, own, program);
        return program;
      });
      started.then(resolve, reject);
      await untilBorn(mark, started);
      end();
    });
  });

let lastTurn: Promise<void> = Promise.resolve();
let limitsBeforeTurn: LockLimits | undefined;

/** Also for a program that takes our place while another is being started. */
export const takeOwnMarkOff = (): void => {
  if (limitsBeforeTurn !== undefined) setLockLimits(process.pid, limitsBeforeTurn);
  limitsBeforeTurn = undefined;
};

/** Until the program has been started or, if that takes long, the process in which it will be is there. */
const untilBorn = async (mark: number, starting: Promise<StartedProgram>): Promise<void> => {
  let isStarted = false;
  const started = starting
    .catch(() => {})
    .then(() => {
      isStarted = true;
    });
  const untilMs = performance.now() + MAX_TURN_MS;
  while (performance.now() < untilMs) {
    await Promise.race([started, delay(CHECK_MS, undefined, { ref: false })]);
    if (isStarted || ownChildren().some((pid) => lockLimitsOf(pid)?.soft === mark)) return;
  }
};

/**
 * Code that uses the library may have started a program meanwhile, which is not the session's. In a
 * process of our own there is no such code, and a child may be an orphan of the session.
 */
const unmarkOthers = (mark: number, own: LockLimits, started: StartedProgram): void => {
  if (adoptsOrphans(process.pid) || process.pid === 1) return;
  const program = started.errno === undefined ? started.pid : undefined;
  for (const pid of ownChildren()) {
    if (pid !== program && lockLimitsOf(pid)?.soft === mark) setLockLimits(pid, own);
  }
};

const ownChildren = (): number[] => {
  const self = readProcessStat(process.pid);
  const threads = self === undefined ? [] : threadIdsOf(self, realProc);
  return threads.flatMap((thread) => childPidsOf(process.pid, thread, realProc));
};

/** Root of a container may not be allowed to, so it is tried. If it fails, a number above all marks remains. */
const canRaiseLimits = (): boolean => {
  mayRaise ??= hasCapability(process.pid, CAP_SYS_RESOURCE) && tryToRaise();
  return mayRaise;
};

const tryToRaise = (): boolean => {
  const own = lockLimitsOf(process.pid)!;
  if (own.hard < Number.POSITIVE_INFINITY) {
    const isRaised = setLockLimits(process.pid, { ...own, hard: own.hard + 1 });
    return isRaised && setLockLimits(process.pid, own);
  }
  setLockLimits(process.pid, { soft: Math.min(own.soft, ABOVE_MARKS), hard: ABOVE_MARKS });
  return setLockLimits(process.pid, own);
};

let mayRaise: boolean | undefined;

/** For a service that is to outlive the session in which it was started: ours. */
export const leaveMarkedSession = (): void => {
  const limits = lockLimitsOf(process.pid);
  if (limits === undefined || limits.soft >= ABOVE_MARKS) return;
  // Everybody can lower a limit.
  const soft = markAfterLeaving(limits.soft);
  setLockLimits(process.pid, { soft, hard: Math.min(limits.hard, soft) });
};

export const markAfterLeaving = (mark: number): number => mark - 1;

/** Whether it could be done: not if the process has ended, or has become another user's. */
const setLockLimits = (pid: number, { soft, hard }: LockLimits): boolean => {
  const limits = Buffer.alloc(RLIMIT_LAYOUT.bytes);
  limits.writeBigUInt64LE(asLimit(soft), RLIMIT_LAYOUT.soft);
  limits.writeBigUInt64LE(asLimit(hard), RLIMIT_LAYOUT.hard);
  return libc().prlimit(pid, RLIMIT_LOCKS, limits, null) === 0;
};

const asLimit = (limit: number): bigint =>
  limit === Number.POSITIVE_INFINITY ? RLIMIT_LAYOUT.unlimited : BigInt(limit);
