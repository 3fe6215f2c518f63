/**
 * A program inside a sandbox, as seen from outside.
 *
 * What we have started is the sandbox (bubblewrap). It has started the first process of a new process
 * namespace, and that one the program, which leads a session of its own and has the terminal. When the first process ends, the kernel ends all others there.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { realProc } from '../proc/proc.ts';
import { childPidsOf, namespacePidOf } from '../proc/process-info.ts';
import { isProcessDead, isSame, readProcessStat } from '../proc/process-stat.ts';
import { endProcessSession, type ProcessSessionEnding } from '../process/end-process-session.ts';
import { processesOfSession } from '../process/process-tree.ts';
import type { Exit } from '../process/reaper.ts';
import { signalProcess } from '../process/signal-process.ts';
import { signalName } from '../process/signals.ts';

export class SandboxedProgram {
  readonly #leader: number;
  #pid: number | undefined;

  constructor(leader: number) {
    this.#leader = leader;
  }

  /** Undefined before it is started. It keeps its pid when it becomes another one. */
  get pid(): number | undefined {
    this.#pid ??= programIn(this.#leader);
    return this.#pid;
  }

  /**
   * bubblewrap tells of a signal as shells do, by 128 plus its number. A program that ends with such a
   * code itself cannot be told from one that was ended by the signal.
   */
  exitOf({ code, signal }: Exit): Exit {
    if (signal !== undefined || code === undefined) return { ...(signal && { signal }) };
    return endingSignals.has(code - 128) ? { signal: signalName(code - 128) } : { code };
  }
}

/** Those that end a program which does not expect them: SIGHUP to SIGTERM, without those of job control. */
const endingSignals = new Set([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 24, 25, 31]);

const childrenOf = (pid: number): number[] => childPidsOf(pid, `${pid}`, realProc);

const programIn = (leader: number): number | undefined => {
  const first = childrenOf(leader).find((pid) => namespacePidOf(pid) === 1);
  // It may have adopted others since, which were started later.
  return first === undefined
    ? undefined
    : childrenOf(first).find((pid) => namespacePidOf(pid) === 2);
};

const KILL_MS = 1000;
const CHECK_MS = 2;

/** Ends all that still runs in the sandbox: the program's session as usual, then what has left it. */
export const endSandbox = async (ending: ProcessSessionEnding, program: number): Promise<void> => {
  const leader = program === ending.sid ? undefined : readProcessStat(program);
  if (leader !== undefined) {
    const { startTime } = leader;
    // Its time may be shortened meanwhile.
    const inside = { __proto__: ending, sid: program, startTime, leavers: [] };
    await endProcessSession(inside as unknown as ProcessSessionEnding);
  }
  const members = await processesOfSession(ending.sid);
  const first = members.filter(({ pid }) => pid !== ending.sid && namespacePidOf(pid) === 1);
  for (const stat of first) signalProcess(stat, 'SIGKILL');
  const untilMs = performance.now() + KILL_MS;
  const isRunning = () =>
    [...first, ...members.filter(({ pid }) => pid === ending.sid)].some((stat) => {
      const now = readProcessStat(stat.pid);
      return now !== undefined && isSame(now, stat) && !isProcessDead(now);
    });
  // The sandbox itself tells how the program has ended, and ends then.
  while (isRunning() && performance.now() < untilMs) await delay(CHECK_MS);
};
