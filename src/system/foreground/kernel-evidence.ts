/**
 * What the kernel knows: which processes are in the foreground of the terminal, and what each of
 * their threads is blocked on.
 *
 * An observation is consistent or it is thrown away (undefined). Consistent means: before and after
 * it, no bytes were under way between us and the program, the same group was in the foreground, and
 * every thread that was found waiting for the terminal has slept all the while. A thread that has
 * been woken still shows its old call, so the call alone proves nothing.
 */

import { type ProcReader, realProc, withLinkCache } from '../proc/proc.ts';
import { threadIdsOf } from '../proc/process-info.ts';
import type { ProcessStat } from '../proc/process-stat.ts';
import { processWithDescendants } from '../process/process-tree.ts';
import type { LineMode } from '../terminal/pty-device.ts';
import { processGroupMembers } from './process-groups.ts';
import { type ObservedThread, observeThread, type ThreadEvidence } from './thread.ts';

/** The terminal that is asked about: ours, or one inside it. */
export interface ObservedTerminal {
  /** Where to look for its programs: the leader of its session, or the relay that made it. */
  readonly pid: number;
  /** The device number of the slave. */
  readonly device: number;
  readonly foregroundGroup: number | undefined;
  /** Undefined once the program has ended. */
  readonly lineMode: LineMode | undefined;
  /** Typed, and not yet read by the program. */
  readonly hasUnreadInput: boolean;
  /** Written, and not yet read by us. */
  readonly hasUnreadOutput: boolean;
}

export interface KernelEvidence {
  hasUnreadInput: boolean;
  lineMode: LineMode;
  /** The threads in the foreground; empty where there are none. */
  threads: ThreadEvidence[];
  /** The innermost terminal is another one, reached through programs that relay ours. */
  isNested?: boolean;
}

export const observeForeground = (
  subject: ObservedTerminal,
  kernel: ProcReader = realProc,
): KernelEvidence | undefined => {
  if (subject.hasUnreadOutput) return undefined;
  const proc = withLinkCache(kernel);
  const hasUnreadInput = subject.hasUnreadInput;
  const group = subject.foregroundGroup;
  const found = group === undefined ? [] : observeGroup(subject, group, proc);
  // Between two commands of a script the last one's group is still in the foreground, and empty.
  if (group !== undefined && found.length === 0 && proc.group(group).missing !== 'denied')
    return undefined;
  found.push(...detachedReaders(subject, found, proc));
  const { lineMode } = subject;
  const nested = found.flatMap(({ nested }) => nested ?? [])[0];
  // Observed while the relay is asleep: then everything printed inside has come through to us.
  const inner = nested && observeForeground(nested, kernel);

  const isSettled =
    found.every(({ thread, stillAsleep }) => !thread.terminalWait || stillAsleep()) &&
    subject.foregroundGroup === group &&
    subject.hasUnreadInput === hasUnreadInput &&
    !subject.hasUnreadOutput;
  if (!isSettled || lineMode === undefined) return undefined;

  if (nested !== undefined) {
    return (
      inner && { ...inner, isNested: true, hasUnreadInput: inner.hasUnreadInput || hasUnreadInput }
    );
  }
  const isAwaited = found.some(({ thread }) => thread.terminalWait);
  const threads = found.map(({ thread, stillAsleep }) =>
    // One thread takes the line and hands it to another, which we may have observed before that.
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

const observeGroup = (
  subject: ObservedTerminal,
  group: number,
  proc: ProcReader,
): ObservedThread[] =>
  observeProcesses(subject, processGroupMembers(proc, subject.pid, group), proc);

/**
 * `su -c` and `setsid -w` give their child a session of its own. Our terminal is not its controlling
 * one, so it is in nobody's foreground, and may read all the same while its parent waits for it.
 */
const detachedReaders = (
  subject: ObservedTerminal,
  found: readonly ObservedThread[],
  proc: ProcReader,
): ObservedThread[] => {
  if (!found.some(({ thread }) => thread.blockedOn === 'a child')) return [];
  if (found.some(({ thread }) => thread.terminalWait)) return [];
  const below = found.flatMap(({ thread }) => processWithDescendants(thread.pid, proc));
  const detached = below.filter(({ terminal }) => terminal !== subject.device);
  const byPid = new Map(detached.map((member) => [member.pid, member]));
  return observeProcesses(subject, [...byPid.values()], proc).filter(
    ({ thread }) => thread.terminalWait,
  );
};

const observeProcesses = (
  subject: ObservedTerminal,
  members: readonly ProcessStat[],
  proc: ProcReader,
): ObservedThread[] =>
  members.flatMap((member) => {
    // Whatever its other threads do, it works. Most looks right after typing end here.
    if (member.state === 'R') return [{ thread: running(member), stillAsleep: () => true }];
    const threads = threadIdsOf(member, proc).flatMap(
      (tid) => observeThread(subject, member, tid, proc) ?? [],
    );
    // A client may read the terminal in one thread and its connection in another.
    const isConnected = threads.some(({ thread }) => thread.blockedOn === 'the network');
    for (const { thread } of threads) {
      if (isConnected && thread.terminalWait) thread.terminalWait.withPeer = true;
    }
    return threads;
  });
