/**
 * Looks for what may act without input while a program reads the terminal: a process that it has
 * started, something that another process can do to one of its threads. Time-outs and timers are told
 * elsewhere (`wakesInMs`, `hasTimers`).
 *
 * This is not cheap, so it is asked once, when the judge needs it. What cannot be seen from outside is
 * alarm(2) and setitimer(2).
 */

import { isListening } from '../listening-sockets.ts';
import {
  descriptorLinkOf,
  descriptorLinksAt,
  descriptorLinksOf,
  descriptorsOf,
  INOTIFY,
  isTimerArmed,
  sendsSignals,
  socketInodeOf,
} from '../proc/descriptor-info.ts';
import { ringOf } from '../proc/io-rings.ts';
import type { ProcReader } from '../proc/proc.ts';
import { isInSharedMemory, threadIdsOf } from '../proc/process-info.ts';
import type { ProcessStat } from '../proc/process-stat.ts';
import { areUnnamedUnixSockets } from '../proc/socket-table.ts';
import { processWithDescendants } from '../process/process-tree.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { type ObservedThread, observeThread } from './observe-thread.ts';
import { orphansOf, treeOf } from './orphans.ts';
import { selfPipeTest } from './self-pipes.ts';
import { awaitedFiles, sharesFile } from './shared-files.ts';
import { ThreadHistory } from './thread-history.ts';

/** What it is, to be named in a verdict. Undefined if nothing is found. */
export const findDue = (
  terminal: ObservedTerminal,
  found: readonly ObservedThread[],
  proc: ProcReader,
): string | undefined => {
  const pids = new Set(found.map(({ thread }) => thread.pid));
  const inner = new Set(found.flatMap(({ nested = [] }) => nested.map(({ session }) => session)));
  const tree = treeOf(terminal.pid, proc);
  const descendants = tree.processes;
  // What is on a terminal inside ours is looked at with that terminal.
  const lookedAt = new Set([
    ...pids,
    ...descendants.filter(({ session }) => inner.has(session)).map(({ pid }) => pid),
  ]);
  const isNewThread = ({ thread, threads }: ObservedThread) =>
    descendants.some((stat) => stat.pid === thread.pid && stat.threads > threads);
  if (found.some(isNewThread)) return 'a thread that it has started';
  for (const observed of found) {
    const due = dueInThread(observed, lookedAt, proc);
    if (due !== undefined) return due;
  }
  for (const pid of pids) {
    if (ringOf(pid, proc) !== undefined) return 'a request that cannot be seen';
    if (getsSignals(pid, proc)) return 'a signal at its next input';
  }
  const isOther = (stat: ProcessStat) => !lookedAt.has(stat.pid) && mayAct(stat);
  if (below(pids, descendants).some(isOther)) return 'a process that it has started';
  // An older one was started by somebody else in the session: an agent of the shell, for example.
  const oldest = descendants.find(({ pid }) => pids.has(pid))?.startTime ?? 0;
  const awaited = awaitedFiles(found, proc);
  const orphans = orphansOf(terminal, tree, awaited, proc).filter(
    (stat) => stat.startTime >= oldest && isOther(stat),
  );
  return orphans.some((stat) => sharesFile(stat.pid, awaited, proc) || goesOn(stat, terminal, proc))
    ? 'a process that it has started'
    : undefined;
};

/**
 * Whether a daemon does something by itself. One that waits for requests does not: gpg, for example,
 * leaves its agent behind and then asks for a passphrase.
 */
const goesOn = ({ pid }: ProcessStat, terminal: ObservedTerminal, proc: ProcReader): boolean => {
  const observer = { proc, history: new ThreadHistory() };
  return processWithDescendants(pid, proc)
    .flatMap((stat) =>
      threadIdsOf(stat, proc).flatMap((tid) => observeThread(terminal, stat, tid, observer) ?? []),
    )
    .some(({ thread: { doing, wakesInMs } }) => doing !== 'blocked' || wakesInMs !== undefined);
};

/** Those of `all` that have one of these processes as an ancestor. */
const below = (pids: ReadonlySet<number>, all: readonly ProcessStat[]): ProcessStat[] => {
  const parents = new Map(all.map(({ pid, parent }) => [pid, parent]));
  const isBelow = (pid: number): boolean => {
    const parent = parents.get(pid);
    return parent !== undefined && (pids.has(parent) || isBelow(parent));
  };
  return all.filter(({ pid }) => isBelow(pid));
};

const mayAct = ({ state }: ProcessStat): boolean => !['Z', 'X', 'T', 't'].includes(state);

/** A program with more descriptors is a server, and asking about each takes as long as all the rest. */
const MAX_ASKED = 256;

/** Whether it gets SIGIO when there is input somewhere; it may do anything then. */
const getsSignals = (pid: number, proc: ProcReader): boolean => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return false;
  const asked = fds.value.filter((fd) => {
    const link = descriptorLinkOf(pid, fd, proc);
    return !link.missing && /^(\/dev\/|\/\d+$|pipe:|socket:)/.test(link.value);
  });
  return asked.slice(0, MAX_ASKED).some((fd) => sendsSignals(pid, fd, proc));
};

/** What another process, or time, can do to a thread that is blocked in this call. */
const dueInThread = (
  { thread: { pid }, wait }: ObservedThread,
  pids: ReadonlySet<number>,
  proc: ProcReader,
): string | undefined => {
  if (wait === undefined) return undefined;
  const { name, args } = wait.call;
  switch (name) {
    case undefined:
    case 'ioctl':
      return 'a call that we do not know';
    case 'futex':
      return isSharedFutex(proc, pid, args) ? 'memory that it shares' : undefined;
    case 'recvfrom':
    case 'recvmsg':
    case 'sendto':
    case 'sendmsg':
    case 'connect':
      return 'a connection';
    default: {
      // Signals come from children and timers, which are looked for too.
      // A read of a socket may have a time-out (SO_RCVTIMEO), even of one that leads to itself.
      const isRead = name === 'read' || name === 'readv';
      const isSocket = (link: string) => link.startsWith('socket:');
      if (isRead && descriptorLinksAt(pid, wait.others, proc).some(isSocket)) return 'a connection';
      return dueAtDescriptors(pid, wait.others, pids, proc);
    }
  }
};

const FUTEX_PRIVATE_FLAG = 128n;

/** Waiting for the end of a thread is not marked as private, though its memory is. */
const isSharedFutex = (proc: ProcReader, pid: number, args: readonly bigint[]): boolean =>
  ((args[1] ?? 0n) & FUTEX_PRIVATE_FLAG) === 0n && isInSharedMemory(pid, args[0] ?? 0n, proc);

const dueAtDescriptors = (
  pid: number,
  fds: readonly number[],
  pids: ReadonlySet<number>,
  proc: ProcReader,
): string | undefined => {
  const links = descriptorLinksAt(pid, fds, proc);
  const isSelfPipe = selfPipeTest(proc, pid, links);
  for (const [at, link] of links.entries()) {
    // Who may change a file is looked for among the processes, as who may connect is.
    if (/^anon_inode:\[(eventfd|signalfd)\]$/.test(link) || link === INOTIFY) continue;
    if (link === 'anon_inode:[timerfd]') {
      if (isTimerArmed(pid, fds[at]!, proc)) return 'a timer of its own';
    } else if (link.startsWith('socket:')) {
      if (isSelfPipe(link) || isListening(pid, link, proc)) continue;
      if (!isPairHeldBy(pids, pid, link, proc)) return 'a connection';
    } else if (link.startsWith('pipe:')) {
      if (!isSelfPipe(link) && !isHeldBy(pids, pid, link, proc))
        return 'a process at the other end of a pipe';
      // The master of a terminal inside ours, which is looked at by itself.
    } else if (!link.endsWith('ptmx')) return 'something else that it waits for';
  }
  return undefined;
};

/** Whether one of the other processes that were looked at has the other end, and is blocked too. */
const isHeldBy = (
  pids: ReadonlySet<number>,
  reader: number,
  link: string,
  proc: ProcReader,
): boolean =>
  [...pids].some((pid) => pid !== reader && descriptorLinksOf(pid, proc).includes(link));

/** The same for a pair of sockets, of which each process has one. The two are made at once. */
const isPairHeldBy = (
  pids: ReadonlySet<number>,
  reader: number,
  link: string,
  proc: ProcReader,
): boolean => {
  const inode = socketInodeOf(link);
  if (inode === undefined) return false;
  return [inode - 1, inode + 1].some(
    (other) =>
      isHeldBy(pids, reader, `socket:[${other}]`, proc) &&
      areUnnamedUnixSockets(reader, [inode, other], proc),
  );
};
