/** Observes what one thread does, and what it is blocked on. */
import {
  descriptorLinkOf,
  descriptorsOf,
  isDescriptorTerminal,
  sendsSignals,
} from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { ignoresStopSignals } from '../proc/process-info.ts';
import type { ProcessStat } from '../proc/process-stat.ts';
import type { BlockingCall, SyscallName } from '../proc/syscalls.ts';
import { blockingCallOf, threadStateOf, timesScheduled } from '../proc/thread-info.ts';
import type { ObservedTerminal } from './kernel-evidence.ts';
import { nestedTerminals } from './nested-terminals.ts';
import { isSelfPipe } from './self-pipes.ts';
import { hasCallTimeout, type WaitTargets, waitTargetsOf } from './wait-targets.ts';

/** What a thread that does not wait for the terminal is blocked on. */
type BlockedOn =
  | 'a timer'
  | 'a child'
  | 'the network'
  | 'a pipe'
  | 'another thread'
  | 'a signal'
  | 'the terminal to take output'
  | 'a call we do not know'
  | 'something else';

export interface ThreadEvidence {
  pid: number;
  /** The pid of the process that has started this one, or has adopted it as an orphan. */
  parent: number;
  name: string;
  /** `hidden`: it sleeps, and we have no permission to see in which call. */
  doing: 'running' | 'on the disk' | 'stopped' | 'blocked' | 'hidden';
  blockedOn?: BlockedOn;
  /** Its call has a time-out, so it will go on at some time, whatever happens. */
  wakesByItself?: boolean;
  /** Present if it sleeps until the terminal has input. */
  terminalWait?: TerminalWait;
}

export interface TerminalWait {
  /** It waits for nothing but the terminal, and without a time-out. */
  isOnlyTarget: boolean;
  /** Another process or machine can wake it too, and its output may come from there. */
  alsoWaitsForPeer: boolean;
  /** It ignores the signals that stop a job, as only shells with job control do. */
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
}

/** Undefined if the thread has ended. */
export const observeThread = (
  terminal: ObservedTerminal,
  processStat: ProcessStat,
  tid: string,
  proc: ProcReader,
): ObservedThread | undefined => {
  const { name, parent } = processStat;
  // If the first thread of a process has ended, /proc shows its descriptors and memory only under its
  // other threads.
  const pid = processStat.state === 'Z' ? Number(tid) : processStat.pid;
  const id = { pid: processStat.pid, tid };
  // The order of these three matters: a thread that was woken still shows its old call, but its state
  // is no longer S.
  const timesScheduledBefore = timesScheduled(id, proc);
  const call = blockingCallOf(id, proc);
  const state = threadStateOf(id, proc);
  if (state.missing) return undefined;
  const simple = (thread: Omit<ThreadEvidence, 'pid' | 'parent' | 'name'>): ObservedThread => ({
    thread: { pid, parent, name, ...thread },
    stillAsleep: () => true,
  });

  if (state.value === 'Z' || state.value === 'X') return undefined;
  if (state.value === 'T' || state.value === 't') return simple({ doing: 'stopped' });
  if (state.value === 'D') return simple({ doing: 'on the disk' });
  if (state.value !== 'S') return simple({ doing: 'running' });
  if (call.missing) return simple({ doing: call.missing === 'denied' ? 'hidden' : 'running' });
  if (call.value === undefined) return simple({ doing: 'running' });

  const isOurs = (fd: number) =>
    isDescriptorTerminal({ ...processStat, pid }, fd, terminal.device, proc);
  const wait = waitTargetsOf(proc, pid, call.value);
  if (wait === 'denied') return simple({ doing: 'hidden' });
  const fds = wait?.readable ?? [];
  const stillAsleep = () =>
    timesScheduledBefore !== undefined && timesScheduled(id, proc) === timesScheduledBefore;
  const isRead = fds.some(isOurs);
  if (!isRead && !(isWaitForSignal(call.value) && hasTerminalSignal(pid, isOurs, proc))) {
    const wakesByItself = wait?.hasTimeout || hasCallTimeout(call.value);
    return {
      thread: {
        pid,
        parent,
        name,
        doing: 'blocked',
        blockedOn: blockedOn(proc, pid, call.value, wait, isOurs),
        ...(wakesByItself && { wakesByItself }),
      },
      stillAsleep,
    };
  }
  const others = fds.filter((fd) => !isOurs(fd));
  const ends = foreignEnds(proc, pid, others);
  const relay = nestedTerminals(proc, pid, terminal.device);
  return {
    thread: {
      pid,
      parent,
      name,
      doing: 'blocked',
      terminalWait: {
        isOnlyTarget:
          isRead &&
          others.length === 0 &&
          wait?.hasTimeout === false &&
          !isTimedRead(call.value, terminal),
        // ssh is connected to its host by a socket, or with ProxyJump by a pipe to another program.
        alsoWaitsForPeer: ends.some((link) => isSocket(link) || isPipe(link)),
        isShell: ignoresStopSignals(pid, proc),
        isBlindRelay: relay === 'blind',
      },
    },
    stillAsleep,
    ...(relay !== 'blind' && { nested: relay }),
  };
};

const isWaitForSignal = ({ name }: BlockingCall): boolean =>
  name === 'pause' || name === 'rt_sigsuspend' || name === 'rt_sigtimedwait';

/** Whether the process gets a signal when the terminal has input. */
const hasTerminalSignal = (
  pid: number,
  isOurs: (fd: number) => boolean,
  proc: ProcReader,
): boolean => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return false;
  return fds.value.map(Number).some((fd) => isOurs(fd) && sendsSignals(pid, fd, proc));
};

/** Only read(2) obeys the time that is set in the terminal. */
const isTimedRead = ({ name }: BlockingCall, { lineMode }: ObservedTerminal): boolean =>
  (name === 'read' || name === 'readv') && lineMode?.timesOutReads === true;

/** The links of these descriptors, without pipes and sockets of which the process has both ends. */
const foreignEnds = (proc: ProcReader, pid: number, fds: readonly number[]): string[] => {
  const links = fds.map((fd) => {
    const link = descriptorLinkOf(pid, fd, proc);
    return link.missing ? '' : link.value;
  });
  return links.filter((link) => !isSelfPipe(proc, pid, link, links));
};

const isSocket = (link: string) => link.startsWith('socket:');
const isPipe = (link: string) => link.startsWith('pipe:');

const blockedOnByCall: Partial<Record<SyscallName, BlockedOn>> = {
  nanosleep: 'a timer',
  clock_nanosleep: 'a timer',
  wait4: 'a child',
  waitid: 'a child',
  futex: 'another thread',
  pause: 'a signal',
  rt_sigsuspend: 'a signal',
  rt_sigtimedwait: 'a signal',
  recvfrom: 'the network',
  recvmsg: 'the network',
  sendto: 'the network',
  sendmsg: 'the network',
  connect: 'the network',
  accept: 'the network',
  accept4: 'the network',
};

const blockedOn = (
  proc: ProcReader,
  pid: number,
  { name, args }: BlockingCall,
  wait: WaitTargets | undefined,
  isOurs: (fd: number) => boolean,
): BlockedOn => {
  if (name === undefined) return 'a call we do not know';
  const known = blockedOnByCall[name];
  if (known) return known;
  const isWrite = name === 'write' || name === 'writev';
  if (isWrite && isOurs(Number(args[0]))) return 'the terminal to take output';
  const ends = foreignEnds(proc, pid, isWrite ? [Number(args[0])] : (wait?.readable ?? []));
  if (ends.some(isSocket)) return 'the network';
  if (ends.some(isPipe)) return 'a pipe';
  return wait?.hasTimeout ? 'a timer' : 'something else';
};
