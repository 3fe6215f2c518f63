/** Observes what one thread does, and what it is blocked on. */

import {
  descriptorLinksAt,
  descriptorsOf,
  isDescriptorTerminal,
  isNonblocking,
  sendsSignals,
} from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { isInteractiveShell } from '../proc/process-info.ts';
import { type ProcessStat, parseProcessStat, parseThreadStat } from '../proc/process-stat.ts';
import type { BlockingCall, SyscallName } from '../proc/syscalls.ts';
import { blockingCallOf, threadStatOf, timesScheduled } from '../proc/thread-info.ts';
import { isNap, msUntilTimeout } from './call-timeout.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { nestedTerminals } from './nested-terminals.ts';
import type { ThreadHistory } from './thread-history.ts';
import { type BlockedOn, blockedOn, type ThreadWait, threadWait } from './thread-wait.ts';
import { waitTargetsOf } from './wait-targets.ts';

export interface ThreadEvidence {
  pid: number;
  /** The pid of the process that has started this one, or has adopted it as an orphan. */
  parent: number;
  name: string;
  /** `hidden`: it sleeps, and we have no permission to see in which call. */
  doing: 'running' | 'on the disk' | 'stopped' | 'blocked' | 'hidden';
  blockedOn?: BlockedOn;
  /**
   * Its call has a time-out, so it goes on whatever happens: in so many milliseconds at the soonest, 0
   * if that is not known.
   */
  wakesInMs?: number;
  /** It sleeps only for a moment, and may then look whether something was typed, without waiting for it. */
  mayGlance?: true;
  /** Present if it sleeps until the terminal has input. */
  terminalWait?: TerminalWait;
}

export interface TerminalWait {
  /** It waits for nothing but the terminal; perhaps with a time-out. */
  isOnlyTarget: boolean;
  /** Where in its program it waits. */
  place?: string;
  /** How often it was found to have run since something was typed or printed. */
  wakes: number;
  /** Another process or machine can wake it too, and its output may come from there. */
  alsoWaitsForPeer: boolean;
  /** It is a shell that a person talks to. */
  isShell: boolean;
  /** It holds, or may hold, the master of a terminal whose programs we cannot see. */
  isBlindRelay: boolean;
}

/** A thread as it was observed, and a way to check whether it has run since. */
export interface ObservedThread {
  thread: ThreadEvidence;
  /** Whether a thread that was blocked has not been woken since. */
  stillAsleep(): boolean;
  /** The terminals it relays, if it waits for ours. */
  nested?: ObservedTerminal[];
  wait?: ThreadWait;
  /** How many threads its process had when they were listed. */
  threads: number;
}

/** Whom we ask, and what we remember of earlier answers. */
export interface Observer {
  proc: ProcReader;
  history: ThreadHistory;
}

/** Undefined if the thread has ended. */
export const observeThread = (
  terminal: ObservedTerminal,
  processStat: ProcessStat,
  tid: string,
  { proc, history }: Observer,
): ObservedThread | undefined => {
  const { name, parent, threads } = processStat;
  // If the first thread of a process has ended, /proc shows its descriptors and memory only under its
  // other threads.
  const pid = processStat.state === 'Z' ? Number(tid) : processStat.pid;
  const id = { pid: processStat.pid, tid };
  // The order of these three matters: a thread that was woken still shows its old call, but its state
  // is no longer S.
  const count = timesScheduled(id, proc);
  const remembered = history.remembered(id, count);
  const call = remembered ? { value: remembered.call } : blockingCallOf(id, proc);
  const stat = threadStatOf(id, proc);
  if (stat.missing) return undefined;
  const { state, startTime } = parseThreadStat(stat.value);
  if (remembered !== undefined && remembered.startTime !== startTime) {
    history.forget(id);
    return observeThread(terminal, processStat, tid, { proc, history });
  }
  const simple = (thread: Omit<ThreadEvidence, 'pid' | 'parent' | 'name'>): ObservedThread => ({
    thread: { pid, parent, name, ...thread },
    stillAsleep: () => true,
    threads,
  });

  if (state === 'Z' || state === 'X') return undefined;
  if (state === 'T' || state === 't') return simple({ doing: 'stopped' });
  if (state === 'D') {
    // Not the disk: a thread sleeps like this until its vfork child runs a program.
    const isForking = !call.missing && FORKS.includes(call.value?.name);
    return simple(
      isForking ? { doing: 'blocked', blockedOn: 'a child' } : { doing: 'on the disk' },
    );
  }
  if (state !== 'S') return simple({ doing: 'running' });
  if (call.missing) return simple({ doing: call.missing === 'denied' ? 'hidden' : 'running' });
  if (call.value === undefined) return simple({ doing: 'running' });

  const isOurs = (fd: number) => isDescriptorTerminal({ ...processStat, pid }, fd, terminal, proc);
  const targets = waitTargetsOf(proc, pid, call.value);
  if (targets === 'denied') return simple({ doing: 'hidden' });
  const fds = targets ?? [];
  const others = fds.filter((fd) => !isOurs(fd));
  const wait = threadWait(pid, call.value, { fds, others }, proc);
  const stillAsleep = () => count !== undefined && timesScheduled(id, proc) === count;
  const isRead = others.length < fds.length;
  const { sleptAtMostMs, wakes } = history.note({ ...id, count, call: call.value, startTime });
  const wakesInMs =
    isRead && isTimedRead(call.value, terminal)
      ? 0
      : msUntilTimeout({ pid, call: call.value, sleptAtMostMs }, proc);
  const blocked = {
    pid,
    parent,
    name,
    doing: 'blocked',
    ...(wakesInMs !== undefined && { wakesInMs }),
  } as const;
  const isSignalled =
    !isRead && isWaitForSignal(proc, pid, wait) && hasTerminalSignal(pid, isOurs, proc);
  if (!isRead && !isSignalled) {
    const reason = blockedOn(proc, pid, wait, isOurs);
    // Reading a file or poll without a descriptor tells nothing but that it sleeps.
    const isSleeping =
      reason === 'a timer' || (reason === 'something else' && wakesInMs !== undefined);
    const mayGlance =
      isSleeping &&
      isNap({ pid, call: call.value, sleptAtMostMs }, proc) &&
      readsWithoutWaiting(pid, isOurs, terminal, proc);
    return {
      thread: {
        ...blocked,
        blockedOn: isSleeping ? 'a timer' : reason,
        ...(mayGlance && { mayGlance }),
      },
      stillAsleep,
      wait,
      threads,
    };
  }
  const relay = nestedTerminals(proc, pid, terminal);
  return {
    thread: {
      ...blocked,
      terminalWait: {
        isOnlyTarget: isRead && others.length === 0,
        place: call.value.place,
        wakes,
        // ssh is connected to its host by a socket, or with ProxyJump by a pipe to another program.
        alsoWaitsForPeer: wait.peers.length > 0,
        isShell: isInteractiveShell({ ...parseProcessStat(stat.value), pid }, proc),
        isBlindRelay: relay === 'blind',
      },
    },
    stillAsleep,
    wait,
    threads,
    ...(relay !== 'blind' && { nested: relay }),
  };
};

const FORKS: readonly (SyscallName | undefined)[] = ['vfork', 'clone', 'clone3'];

const signalCalls: readonly (SyscallName | undefined)[] = [
  'pause',
  'rt_sigsuspend',
  'rt_sigtimedwait',
];

const isWaitForSignal = (proc: ProcReader, pid: number, { call, fds }: ThreadWait): boolean => {
  const links = descriptorLinksAt(pid, fds, proc);
  return signalCalls.includes(call.name) || links.includes('anon_inode:[signalfd]');
};

/** Whether the process gets a signal when the terminal has input. */
const hasTerminalSignal = (
  pid: number,
  isOurs: (fd: number) => boolean,
  proc: ProcReader,
): boolean => openedAs(pid, isOurs, proc).some((fd) => sendsSignals(pid, fd, proc));

/** Whether it has prepared the terminal for that: single keys, or reads that return at once. */
const readsWithoutWaiting = (
  pid: number,
  isOurs: (fd: number) => boolean,
  { lineMode }: ObservedTerminal,
  proc: ProcReader,
): boolean =>
  openedAs(pid, isOurs, proc).some(
    (fd) => lineMode?.canonical === false || isNonblocking(pid, fd, proc),
  );

/** The descriptors by which it has the terminal open. */
const openedAs = (pid: number, isOurs: (fd: number) => boolean, proc: ProcReader): number[] => {
  const fds = descriptorsOf(pid, proc);
  return fds.missing ? [] : fds.value.map(Number).filter(isOurs);
};

const readCalls: readonly (SyscallName | undefined)[] = [
  'read',
  'readv',
  'preadv2',
  'splice',
  'sendfile',
];

/** Only a read obeys the time that is set in the terminal; poll(2) and the like do not. */
const isTimedRead = ({ name }: BlockingCall, terminal: ObservedTerminal): boolean =>
  readCalls.includes(name) && terminal.lineMode?.timesOutReads === true;
