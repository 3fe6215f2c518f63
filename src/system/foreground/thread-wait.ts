/** What a blocked thread waits for: descriptors, other processes, time. */
import { isListening } from '../listening-sockets.ts';
import { descriptorLinksAt, INOTIFY } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import type { BlockingCall, SyscallName } from '../proc/syscalls.ts';
import { selfPipeTest } from './self-pipes.ts';

export interface ThreadWait {
  /** In which it is blocked. */
  call: BlockingCall;
  /** The descriptors for which it waits there. */
  fds: readonly number[];
  /** Those of them that are not the terminal. */
  others: readonly number[];
  /** The links of those by which another process or machine can wake it. */
  peers: readonly string[];
  /** What others may do that it waits for, perhaps beside the terminal. */
  openTo?: OpenTo;
}

/** What another process may do at any time, and most probably does not do now. */
export type OpenTo = 'a new connection' | 'a change of a file';

/** What a thread that does not wait for the terminal is blocked on. */
export type BlockedOn =
  | 'a timer'
  | 'a child'
  | 'the network'
  | 'new connections'
  | 'a pipe'
  | 'another thread'
  | 'a signal'
  | 'the terminal to take output'
  | 'a call we do not know'
  | 'something else';

export const threadWait = (
  pid: number,
  call: BlockingCall,
  { fds, others }: Pick<ThreadWait, 'fds' | 'others'>,
  proc: ProcReader,
): ThreadWait => {
  const ends = foreignEnds(proc, pid, others);
  const listeners = ends.filter((link) => isListening(pid, link, proc));
  const openTo = openToOthers(call, listeners, ends);
  const peers = ends.filter(
    (link) => isPipe(link) || (isSocket(link) && !listeners.includes(link)),
  );
  return { call, fds, others, peers, ...(openTo && { openTo }) };
};

/** The links of these descriptors, without pipes and sockets of which the process has both ends. */
const foreignEnds = (proc: ProcReader, pid: number, fds: readonly number[]): string[] => {
  const links = descriptorLinksAt(pid, fds, proc);
  const isSelfPipe = selfPipeTest(proc, pid, links);
  return links.filter((link) => !isSelfPipe(link));
};

const acceptCalls: readonly (SyscallName | undefined)[] = ['accept', 'accept4'];

const openToOthers = (
  { name }: BlockingCall,
  listeners: readonly string[],
  ends: readonly string[],
): OpenTo | undefined => {
  if (acceptCalls.includes(name) || listeners.length > 0) return 'a new connection';
  return ends.includes(INOTIFY) ? 'a change of a file' : undefined;
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
  accept: 'new connections',
  accept4: 'new connections',
};

export const blockedOn = (
  proc: ProcReader,
  pid: number,
  { call: { name, args }, peers, openTo }: ThreadWait,
  isOurs: (fd: number) => boolean,
): BlockedOn => {
  if (name === undefined) return 'a call we do not know';
  const known = blockedOnByCall[name];
  if (known) return known;
  const isWrite = name === 'write' || name === 'writev';
  if (isWrite && isOurs(Number(args[0]))) return 'the terminal to take output';
  const ends = isWrite ? foreignEnds(proc, pid, [Number(args[0])]) : peers;
  if (ends.some(isSocket)) return 'the network';
  if (ends.some(isPipe)) return 'a pipe';
  return openTo === 'a new connection' ? 'new connections' : 'something else';
};
