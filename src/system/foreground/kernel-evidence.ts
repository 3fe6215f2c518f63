/**
 * What the kernel knows: which processes are in the foreground of the terminal, and what each of
 * their threads is blocked on.
 *
 * An observation is consistent, or it is thrown away (undefined). It is consistent if, before and
 * after it, no bytes were under way between us and the program, the same group was in the
 * foreground, and every thread that was found waiting for the terminal has slept all the time. A
 * thread that has been woken still shows its old call, so the call alone proves nothing.
 */

import { type ProcReader, realProc, withLinkCache } from '../proc/proc.ts';
import { threadIdsOf } from '../proc/process-info.ts';
import type { ProcessStat } from '../proc/process-stat.ts';
import { processWithDescendants } from '../process/process-tree.ts';
import type { LineMode } from '../terminal/pty-device.ts';
import { type ObservedThread, observeThread, type ThreadEvidence } from './observe-thread.ts';
import { processGroupMembers } from './process-groups.ts';

/** The terminal that is observed: ours, or one that a relay has opened inside it. */
export interface ObservedTerminal {
  /** Its programs are descendants of this process: the leader of its session, or the relay. */
  readonly pid: number;
  /** The device number of the slave. */
  readonly device: number;
  readonly foregroundGroup: number | undefined;
  /** Undefined once the program has ended. */
  readonly lineMode: LineMode | undefined;
  /** Whether input was typed that the program has not read yet. */
  readonly hasUnreadInput: boolean;
  /** Whether the program has written output that we have not read yet. */
  readonly hasUnreadOutput: boolean;
}

export interface KernelEvidence {
  hasUnreadInput: boolean;
  lineMode: LineMode;
  /** Empty if there is no foreground group, or if /proc hides all its processes from us. */
  threads: ThreadEvidence[];
  /** This evidence is about a terminal inside ours, which a relay has opened. */
  isNested?: boolean;
}

export const observeForeground = (
  terminal: ObservedTerminal,
  uncachedProc: ProcReader = realProc,
): KernelEvidence | undefined => {
  if (terminal.hasUnreadOutput) return undefined;
  const proc = withLinkCache(uncachedProc);
  const hasUnreadInput = terminal.hasUnreadInput;
  const group = terminal.foregroundGroup;
  const found =
    group === undefined
      ? []
      : observeProcesses(terminal, processGroupMembers(proc, terminal.pid, group), proc);
  // Between two commands of a script, the group of the last command is still in the foreground
  // although it has no processes any more.
  if (group !== undefined && found.length === 0 && proc.group(group).missing !== 'denied')
    return undefined;
  found.push(...detachedReaders(terminal, found, proc));
  const { lineMode } = terminal;
  const nested = found.flatMap(({ nested }) => nested ?? [])[0];
  // We observe it between two checks that the relay is asleep. Then the relay has passed on everything
  // that was printed on the inner terminal.
  const inner = nested && observeForeground(nested, uncachedProc);

  const isSettled =
    found.every(({ thread, stillAsleep }) => !thread.terminalWait || stillAsleep()) &&
    terminal.foregroundGroup === group &&
    terminal.hasUnreadInput === hasUnreadInput &&
    !terminal.hasUnreadOutput;
  if (!isSettled || lineMode === undefined) return undefined;

  if (nested !== undefined) {
    return (
      inner && { ...inner, isNested: true, hasUnreadInput: inner.hasUnreadInput || hasUnreadInput }
    );
  }
  const isAwaited = found.some(({ thread }) => thread.terminalWait);
  const threads = found.map(({ thread, stillAsleep }) =>
    // A thread may read a line and hand it to a second thread. We may have observed the second one
    // before that, so a thread that has been woken since counts as running.
    isAwaited && !stillAsleep() ? running(thread) : thread,
  );
  return { hasUnreadInput, lineMode, threads };
};

const running = ({
  pid,
  parent,
  name,
}: Pick<ThreadEvidence, 'pid' | 'parent' | 'name'>): ThreadEvidence => ({
  pid,
  parent,
  name,
  doing: 'running',
});

/**
 * The threads that wait for our terminal although it is not their controlling terminal. `su -c`,
 * `setsid -w` and sandboxes start their child in a new session, so the child is not in the foreground.
 * It can read our terminal all the same, while its parent waits in one way or another.
 */
const detachedReaders = (
  terminal: ObservedTerminal,
  found: readonly ObservedThread[],
  proc: ProcReader,
): ObservedThread[] => {
  if (found.some(({ thread }) => thread.terminalWait || thread.doing === 'running')) return [];
  const detached = processWithDescendants(terminal.pid, proc).filter(
    (stat) => stat.terminal !== terminal.device,
  );
  return observeProcesses(terminal, detached, proc).filter(({ thread }) => thread.terminalWait);
};

const observeProcesses = (
  terminal: ObservedTerminal,
  processes: readonly ProcessStat[],
  proc: ProcReader,
): ObservedThread[] =>
  processes.flatMap((stat) => {
    // The process is busy, whatever its other threads do. So we do not read them, which saves time:
    // most observations right after typing find a running process.
    if (stat.state === 'R') return [{ thread: running(stat), stillAsleep: () => true }];
    const threads = threadIdsOf(stat, proc).flatMap(
      (tid) => observeThread(terminal, stat, tid, proc) ?? [],
    );
    // A client may read the terminal in one thread and its connection in another.
    const isConnected = threads.some(({ thread }) => thread.blockedOn === 'the network');
    for (const { thread } of threads) {
      if (isConnected && thread.terminalWait) thread.terminalWait.alsoWaitsForPeer = true;
    }
    return threads;
  });
