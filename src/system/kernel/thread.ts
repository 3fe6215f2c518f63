/**
 * What one thread does, and if it is blocked, on what.
 */

import { type ProcessStat, parseState } from '../process/process-tree.ts';
import type { ObservedTerminal } from './foreground.ts';
import type { Proc } from './proc.ts';
import { nestedTerminals } from './relay.ts';
import { isSelfPipe } from './self-pipes.ts';
import { type BlockingCall, parseSyscall, type SyscallName } from './syscalls.ts';
import { hasTimeout, type WaitTargets, waitOf } from './wait-targets.ts';

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
  /** The process that has started this one, or has taken it over. */
  parent: number;
  name: string;
  /** `hidden`: asleep, and we may not ask on what. */
  doing: 'running' | 'on the disk' | 'stopped' | 'blocked' | 'hidden';
  blockedOn?: BlockedOn;
  /** It will go on at some time, whatever happens: its wait has a time-out. */
  wakesByItself?: boolean;
  /** It sleeps until the terminal has input. */
  terminalWait?: TerminalWait;
}

export interface TerminalWait {
  /** For nothing else, and for as long as it takes. */
  alone: boolean;
  /** Another process or machine can wake it too, and what it shows may come from there. */
  withPeer: boolean;
  /** It ignores the signals that stop a job. */
  isShell: boolean;
  /** It holds the master of a terminal whose programs we cannot see. */
  isBlindRelay: boolean;
}

/** A thread as it was found, and how to see whether it has moved since. */
export interface ObservedThread {
  thread: ThreadEvidence;
  /** Whether a thread that was found blocked has not been woken since. */
  stillAsleep(): boolean;
  nested?: ObservedTerminal[];
}

export const observeThread = (
  subject: ObservedTerminal,
  member: ProcessStat,
  tid: string,
  proc: Proc,
): ObservedThread | undefined => {
  const { name, parent } = member;
  // A process whose first thread has ended shows its descriptors and memory under its other threads.
  const pid = member.state === 'Z' ? Number(tid) : member.pid;
  const task = `/proc/${member.pid}/task/${tid}`;
  const slices = timesScheduled(proc, task);
  const syscall = proc.readKept(`${task}/syscall`);
  const statText = proc.readKept(`${task}/stat`);
  if (statText.missing) return undefined;
  const state = parseState(statText.value);
  const simple = (thread: Omit<ThreadEvidence, 'pid' | 'parent' | 'name'>): ObservedThread => ({
    thread: { pid, parent, name, ...thread },
    stillAsleep: () => true,
  });

  if (state === 'Z' || state === 'X') return undefined;
  if (state === 'T' || state === 't') return simple({ doing: 'stopped' });
  if (state === 'D') return simple({ doing: 'on the disk' });
  if (state !== 'S') return simple({ doing: 'running' });
  if (syscall.missing)
    return simple({ doing: syscall.missing === 'denied' ? 'hidden' : 'running' });
  const found = parseSyscall(syscall.value);
  if (found === undefined) return simple({ doing: 'running' });
  const call = found.name === 'restart_syscall' ? resumed(proc, task, found) : found;

  const isOurs = (fd: number) => isTerminal(proc, { ...member, pid }, fd, subject.device);
  const wait = waitOf(proc, pid, call);
  if (wait === 'denied') return simple({ doing: 'hidden' });
  const fds = wait?.readable ?? [];
  const stillAsleep = () => slices !== undefined && timesScheduled(proc, task) === slices;
  if (!fds.some(isOurs)) {
    const wakesByItself = wait?.hasTimeout || hasTimeout(call);
    return {
      thread: {
        pid,
        parent,
        name,
        doing: 'blocked',
        blockedOn: blockedOn(proc, pid, call, wait, isOurs),
        ...(wakesByItself && { wakesByItself }),
      },
      stillAsleep,
    };
  }
  const others = fds.filter((fd) => !isOurs(fd));
  const ends = foreignEnds(proc, pid, others);
  const relay = nestedTerminals(proc, pid, subject.device);
  return {
    thread: {
      pid,
      parent,
      name,
      doing: 'blocked',
      terminalWait: {
        alone: others.length === 0 && !wait!.hasTimeout,
        // ssh reaches its host by a socket, or through another program (ProxyJump) by a pipe.
        withPeer: ends.some((link) => isSocket(link) || isPipe(link)),
        isShell: ignoresStopSignals(proc, pid),
        isBlindRelay: relay === 'blind',
      },
    },
    stillAsleep,
    ...(relay !== 'blind' && { nested: relay }),
  };
};

/**
 * After a stop (C-z, then `fg`) a call with a time-out goes on under the name of `restart_syscall`.
 * Its arguments are kept; which of three it is shows only in where the kernel sleeps.
 */
const resumed = (proc: Proc, task: string, { args }: BlockingCall): BlockingCall => {
  const where = proc.read(`${task}/wchan`);
  const place = where.missing ? '' : where.value;
  if (place.includes('poll')) return { name: 'poll', args };
  if (place.includes('futex')) return { name: 'futex', args };
  return { name: 'clock_nanosleep', args };
};

/**
 * How often the thread was given a processor: the third number of schedstat, or where the kernel does
 * not count that, how often it gave the processor up.
 */
const timesScheduled = (proc: Proc, task: string): string | undefined => {
  const answer = proc.readKept(`${task}/schedstat`);
  const slices = answer.missing ? '0' : answer.value.trimEnd().split(' ')[2];
  if (slices !== '0') return slices;
  const status = proc.read(`${task}/status`);
  return status.missing ? undefined : /^voluntary_ctxt_switches:.*$/m.exec(status.value)?.[0];
};

/** /dev/tty, which stands for a process's own controlling terminal (major 5, minor 0). */
const DEV_TTY = 0x500;

const isTerminal = (proc: Proc, { pid, terminal }: ProcessStat, fd: number, device: number) => {
  const path = `/proc/${pid}/fd/${fd}`;
  // The link first: to ask more of whatever a program reads could block on a dead network disk.
  const link = proc.link(path);
  if (link.missing || !/^\/(dev\/|\d+$)/.test(link.value)) return false;
  const answer = proc.device(path);
  if (answer.missing) return false;
  return answer.value === device || (answer.value === DEV_TTY && terminal === device);
};

const linkOf = (proc: Proc, pid: number, fd: number): string => {
  const answer = proc.link(`/proc/${pid}/fd/${fd}`);
  return answer.missing ? '' : answer.value;
};

/** What these descriptors lead to, without the ends of which the process holds the other one. */
const foreignEnds = (proc: Proc, pid: number, fds: readonly number[]): string[] => {
  const links = fds.map((fd) => linkOf(proc, pid, fd));
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
  proc: Proc,
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

/** SIGTSTP and SIGTTOU: signals 20 and 22, the first being bit 0. */
const STOP_SIGNALS = (1n << 19n) | (1n << 21n);

/** As only a shell with job control does. */
export const ignoresStopSignals = (proc: Proc, pid: number): boolean => {
  const status = proc.read(`/proc/${pid}/status`);
  const ignored = status.missing ? undefined : /^SigIgn:\s*([0-9a-f]+)/m.exec(status.value)?.[1];
  return ignored !== undefined && (BigInt(`0x${ignored}`) & STOP_SIGNALS) === STOP_SIGNALS;
};
