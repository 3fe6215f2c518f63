/**
 * What the kernel knows: which processes are in the foreground of the terminal, and what each of
 * their threads is blocked on.
 *
 * An observation is consistent, or it is thrown away (undefined). It is consistent if, before and
 * after it, no bytes were under way between us and the program, the same group was in the
 * foreground, and every thread that was found waiting for the terminal has slept all the time. A
 * thread that has been woken still shows its old call, so the call alone proves nothing. Only processes
 * that run are believed at first sight: they do not wait, whatever is under way.
 */

import type { TerminalId } from '../proc/descriptor-info.ts';
import { type ProcReader, realProc, withLinkCache } from '../proc/proc.ts';
import { threadIdsOf } from '../proc/process-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { processWithDescendants } from '../process/process-tree.ts';
import type { LineMode } from '../terminal/pty-device.ts';
import {
  type ObservedThread,
  type Observer,
  observeThread,
  type ThreadEvidence,
} from './observe-thread.ts';
import { orphansOf, treeOf } from './orphans.ts';
import { processGroupMembers } from './process-groups.ts';
import { ThreadHistory } from './thread-history.ts';
import type { OpenTo } from './thread-wait.ts';
import { findingLater, findUnseen } from './unseen-evidence.ts';

/** The terminal that is observed: ours, or one that a relay has opened inside it. */
export interface ObservedTerminal extends TerminalId {
  /** Its programs are descendants of this process: the leader of its session, or the relay. */
  readonly pid: number;
  readonly foregroundGroup: number | undefined;
  /** Undefined once the program has ended. */
  readonly lineMode: LineMode | undefined;
  /** Whether input was typed that the program has not read yet. */
  readonly hasUnreadInput: boolean;
  /** Whether the program has written output that we have not read yet. */
  readonly hasUnreadOutput: boolean;
  /** The relay's descriptor of its master, if it is inside ours. */
  readonly master?: number;
}

export interface KernelEvidence {
  hasUnreadInput: boolean;
  lineMode: LineMode;
  /** Empty if there is no foreground group, or if /proc hides all its processes from us. */
  threads: ThreadEvidence[];
  /**
   * What may act without input, or is not understood. Looked for only where all threads are blocked, and
   * only when the judge asks: see `findingLater`.
   */
  readonly due?: string | undefined;
  /** It also waits for what others may do: a server with a console, an editor with a remote control. */
  readonly openTo?: OpenTo;
  /**
   * A reader has timers of timer_create(2). The kernel does not show whether they are set: vim keeps one
   * for long searches.
   */
  readonly hasTimers?: boolean;
  /** Something has moved while it was looked for what is due: then nothing of this counts. */
  readonly hasMoved?: boolean;
  /** The program reads a pipe in place of a terminal. */
  isPipe?: boolean;
  /** Nobody waits for the terminal in a call, but one of the requests of an io_uring may. */
  mayReadUnseen?: boolean;
  /** This evidence is about a terminal inside ours, which a relay has opened. */
  isNested?: boolean;
}

/**
 * How often in a row there was unread output. In a flood there nearly always is, so most times nothing else
 * is asked.
 */
const unreadInARow = new WeakMap<ObservedTerminal, number>();
const ASK_ALL_EVERY = 8;

export const observeForeground = (
  terminal: ObservedTerminal,
  { proc: uncachedProc = realProc, history = new ThreadHistory() }: Partial<Observer> = {},
): KernelEvidence | undefined => {
  const proc = withLinkCache(uncachedProc);
  const observer = { proc, history };
  const unread = unreadInARow.get(terminal) ?? 0;
  if (unread > 0) unreadInARow.set(terminal, unread + 1);
  if (unread % ASK_ALL_EVERY !== 0 && terminal.hasUnreadOutput) return undefined;
  const hasUnreadInput = terminal.hasUnreadInput;
  const group = terminal.foregroundGroup;
  // The program has just ended, and we have not been told yet.
  if (group === undefined && readProcessStat(terminal.pid, proc)?.state === 'Z') return undefined;
  const processes = foregroundProcesses(terminal, group, proc);
  // To ask whether output is under way takes the time of a worker of the kernel, which on a busy machine has
  // to wait for its turn.
  if (processes.length > 0 && processes.every(({ state }) => state === 'R')) {
    const mode = terminal.lineMode;
    return mode && { hasUnreadInput, lineMode: mode, threads: processes.map(running) };
  }
  if (terminal.hasUnreadOutput) {
    unreadInARow.set(terminal, unread + 1);
    return undefined;
  }
  unreadInARow.delete(terminal);
  const found = observeProcesses(terminal, processes, observer);
  // Between two commands of a script, the group of the last command is still in the foreground
  // although it has no processes any more.
  if (group !== undefined && found.length === 0 && proc.group(group).missing !== 'denied')
    return undefined;
  if (!found.some(({ thread }) => thread.terminalWait || thread.doing === 'running'))
    found.push(...readersElsewhere(terminal, found, observer));
  const { lineMode } = terminal;
  // We observe them between two checks that the relay is asleep. Then the relay has passed on everything
  // that was printed on an inner terminal.
  const nested = found.flatMap(({ nested = [] }) => nested);
  const relayed = relayedNow(nested, found);
  const inner = relayed.map((each) => observeForeground(each, { proc: uncachedProc, history }));

  const areAsleep = () =>
    found.every(({ thread, stillAsleep }) => !thread.terminalWait || stillAsleep());
  const isSettled = () =>
    areAsleep() &&
    terminal.foregroundGroup === group &&
    terminal.hasUnreadInput === hasUnreadInput &&
    !terminal.hasUnreadOutput;
  if (lineMode === undefined || !isSettled()) return undefined;
  const openTo = openToOthers(found);

  if (nested.length > 0) {
    const own = found.flatMap(({ thread }) => (mayGoOn(thread) ? withoutWait(thread) : []));
    const joined = joinNested(inner, nested);
    const isIdle = !hasUnreadInput && found.every(({ thread }) => isBlocked(thread));
    return (
      joined && {
        ...joined,
        threads: [...joined.threads, ...own],
        isNested: true,
        hasUnreadInput: joined.hasUnreadInput || hasUnreadInput,
        ...(isIdle && { ...openTo, ...findUnseen(terminal, found, proc) }),
        hasMoved: joined.hasMoved || !isSettled(),
      }
    );
  }
  const isAwaited = found.some(({ thread }) => thread.terminalWait);
  const threads = found.map(({ thread, stillAsleep }) =>
    // A thread may read a line and hand it to a second thread. We may have observed the second one
    // before that, so a thread that has been woken since counts as running.
    isAwaited && !thread.terminalWait && !stillAsleep() ? running(thread) : thread,
  );
  const isPipe = terminal.pipe !== undefined;
  const seen = { hasUnreadInput, lineMode, threads, ...(isPipe && { isPipe }) };
  if (hasUnreadInput || !threads.every(isBlocked)) return seen;
  if (!isAwaited) return { ...seen, ...findUnseen(terminal, found, proc) };
  const hasMoved = () => !isSettled() || !found.every(({ stillAsleep }) => stillAsleep());
  return findingLater({ ...seen, ...openTo }, () => findUnseen(terminal, found, proc), hasMoved);
};

const openToOthers = (found: readonly ObservedThread[]): Pick<KernelEvidence, 'openTo'> => {
  const all = found.flatMap(({ wait }) => wait?.openTo ?? []);
  const openTo = all.find((each) => each === 'a new connection') ?? all[0];
  return openTo === undefined ? {} : { openTo };
};

/** A pipe has no foreground: whoever holds it may read it. */
const foregroundProcesses = (
  { pid, pipe }: ObservedTerminal,
  group: number | undefined,
  proc: ProcReader,
): ProcessStat[] => {
  if (pipe !== undefined) return processWithDescendants(pid, proc);
  return group === undefined ? [] : processGroupMembers(proc, pid, group);
};

const isBlocked = ({ doing }: ThreadEvidence) => doing === 'blocked' || doing === 'stopped';

/** Whether a thread of the relay, or beside it, may act by itself. */
const mayGoOn = ({ doing, wakesInMs }: ThreadEvidence): boolean =>
  doing !== 'blocked' || wakesInMs !== undefined;

/** That a relay waits for our terminal says nothing: it always does. */
const withoutWait = ({ terminalWait: _, ...thread }: ThreadEvidence): ThreadEvidence => thread;

/** Of several terminals, those whose output the relay waits for. expect has others in the background. */
const relayedNow = (
  nested: readonly ObservedTerminal[],
  found: readonly ObservedThread[],
): readonly ObservedTerminal[] => {
  const isAwaited = ({ pid, master = -1 }: ObservedTerminal) =>
    found.some(({ thread, wait }) => thread.pid === pid && wait?.fds.includes(master));
  const awaited = nested.filter(isAwaited);
  return awaited.length > 0 ? awaited : nested;
};

/**
 * The evidence of a relay's inner terminals as that of one. Nobody knows for sure to which of several the
 * input goes, so a secret is asked for only if every one of them asks for it. Undefined if one of them
 * was not settled.
 */
const joinNested = (
  inner: readonly (KernelEvidence | undefined)[],
  nested: readonly ObservedTerminal[],
): KernelEvidence | undefined => {
  const all = inner.filter((each) => each !== undefined);
  if (all.length < inner.length) return undefined;
  const reads = ({ threads }: KernelEvidence) => threads.some(({ terminalWait }) => terminalWait);
  const isOpen = ({ lineMode }: { lineMode: LineMode | undefined }) =>
    !lineMode?.canonical || lineMode.echo;
  const chosen = all.find((each) => reads(each) && isOpen(each)) ?? all.find(reads) ?? all[0]!;
  const openMode = isOpen(chosen) ? undefined : nested.find(isOpen)?.lineMode;
  return {
    ...chosen,
    ...(openMode && { lineMode: openMode }),
    hasUnreadInput: all.some((each) => each.hasUnreadInput),
    ...((openMode ?? all[1]) && { due: 'another terminal within it' }),
  };
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
 * The threads of processes that read our terminal although they are not among those in the foreground,
 * and of those that have started them. `su -c`, `setsid -w` and sandboxes start their child in a new
 * session, while the parent waits in one way or another. And a process whose parent has ended may still
 * be in the foreground group.
 */
const readersElsewhere = (
  terminal: ObservedTerminal,
  found: readonly ObservedThread[],
  observer: Observer,
): ObservedThread[] => {
  const { proc } = observer;
  const known = new Set(found.map(({ thread }) => thread.pid));
  const tree = treeOf(terminal.pid, proc);
  const detached = tree.processes.filter(({ session }) => session !== terminal.session);
  const others = [...detached, ...orphansOf(terminal, tree, new Set(), proc)].filter(
    ({ pid }) => !known.has(pid),
  );
  const observed = observeProcesses(terminal, others, observer);
  const parents = new Map(others.map(({ pid, parent }) => [pid, parent]));
  const inLine = new Set<number>();
  for (const { thread } of observed) {
    let pid: number | undefined = thread.terminalWait && thread.pid;
    for (; pid !== undefined && parents.has(pid); pid = parents.get(pid)) inLine.add(pid);
  }
  return observed.filter(({ thread }) => inLine.has(thread.pid));
};

const observeProcesses = (
  terminal: ObservedTerminal,
  processes: readonly ProcessStat[],
  observer: Observer,
): ObservedThread[] =>
  processes.flatMap((stat) => {
    // The process is busy, whatever its other threads do. So we do not read them, which saves time:
    // most observations right after typing find a running process.
    const { threads: count } = stat;
    if (stat.state === 'R')
      return [{ thread: running(stat), stillAsleep: () => true, threads: count }];
    const threads = threadIdsOf(stat, observer.proc).flatMap(
      (tid) => observeThread(terminal, stat, tid, observer) ?? [],
    );
    // A client may read the terminal in one thread and its connection in another.
    const isConnected = threads.some(({ thread }) => thread.blockedOn === 'the network');
    for (const { thread } of threads) {
      if (isConnected && thread.terminalWait) thread.terminalWait.alsoWaitsForPeer = true;
    }
    return threads;
  });
