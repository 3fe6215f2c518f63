/** Finds out which descriptors a blocking call waits for. */
import { POLL_READABLE, POLLFD_LAYOUT } from '../constants.ts';
import { descriptorLinkOf, epollTargetsOf } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import type { BlockingCall } from '../proc/syscalls.ts';

/**
 * How many descriptors we read of one call. Old programs pass the size of their whole descriptor table
 * to select(2), and use only the first few.
 */
const MAX_DESCRIPTORS = 65_536;
/** Epoll descriptors can be nested; the kernel allows no more levels. */
const MAX_NESTED_EPOLLS = 5;

/**
 * The descriptors at which the call returns when one of them becomes readable. Undefined if it waits for
 * none, 'denied' if we cannot see what it waits for.
 */
export const waitTargetsOf = (proc: ProcReader, pid: number, call: BlockingCall): WaitTargets => {
  const targets = directTargetsOf(proc, pid, call);
  if (targets === undefined || targets === 'denied') return targets;
  return withoutEpolls(proc, pid, targets);
};

export type WaitTargets = number[] | 'denied' | undefined;

/** Puts the descriptors that an epoll descriptor waits for in its place. */
const withoutEpolls = (
  proc: ProcReader,
  pid: number,
  fds: readonly number[],
  level = 0,
): number[] | 'denied' => {
  const found: number[] = [];
  for (const fd of fds) {
    const link = descriptorLinkOf(pid, fd, proc);
    const isEpoll = !link.missing && link.value === 'anon_inode:[eventpoll]';
    if (!isEpoll || level === MAX_NESTED_EPOLLS) {
      found.push(fd);
      continue;
    }
    const inner = epollReadable(proc, pid, fd);
    if (inner === 'denied') return 'denied';
    const targets = withoutEpolls(proc, pid, inner ?? [], level + 1);
    if (targets === 'denied') return 'denied';
    found.push(...targets);
  }
  return found;
};

const directTargetsOf = (proc: ProcReader, pid: number, call: BlockingCall): WaitTargets => {
  const [first = 0n, second = 0n] = call.args;
  switch (call.name) {
    case 'read':
    case 'readv':
    case 'preadv2':
    case 'splice':
      return [Number(first)];
    case 'sendfile':
      return [Number(second)];
    case 'poll':
    case 'ppoll':
      return pollTargets(proc, pid, first, Number(second));
    case 'select':
    case 'pselect6':
      return selectTargets(proc, pid, Number(first), second);
    case 'epoll_wait':
    case 'epoll_pwait':
    case 'epoll_pwait2':
      return epollReadable(proc, pid, Number(first));
    case 'io_uring_enter':
      // The requests in the ring cannot be seen from outside the program.
      return 'denied';
    default:
      return undefined;
  }
};

const pollTargets = (
  proc: ProcReader,
  pid: number,
  address: bigint,
  count: number,
): WaitTargets => {
  // Among the others may be the terminal.
  if (count > MAX_DESCRIPTORS) return 'denied';
  const memory = proc.memory(pid, address, count * POLLFD_LAYOUT.bytes);
  if (memory.missing) return memory.missing === 'denied' ? 'denied' : undefined;
  const readable: number[] = [];
  for (let at = 0; at < memory.value.length; at += POLLFD_LAYOUT.bytes) {
    const fd = memory.value.readInt32LE(at);
    if (fd >= 0 && (memory.value.readInt16LE(at + POLLFD_LAYOUT.events) & POLL_READABLE) !== 0)
      readable.push(fd);
  }
  return readable;
};

const selectTargets = (
  proc: ProcReader,
  pid: number,
  count: number,
  address: bigint,
): WaitTargets => {
  if (address === 0n) return [];
  const checked = Math.min(count, MAX_DESCRIPTORS);
  // An fd_set is an array of longs.
  const memory = proc.memory(pid, address, Math.ceil(checked / 64) * 8);
  if (memory.missing) return memory.missing === 'denied' ? 'denied' : undefined;
  const readable: number[] = [];
  for (let fd = 0; fd < checked; fd++) {
    if ((memory.value[fd >> 3]! & (1 << (fd & 7))) !== 0) readable.push(fd);
  }
  return readable;
};

/** The descriptors that make an epoll descriptor readable when they are. Undefined if it is gone. */
const epollReadable = (proc: ProcReader, pid: number, epoll: number): WaitTargets => {
  const targets = epollTargetsOf(pid, epoll, proc);
  if (targets.missing) return targets.missing === 'denied' ? 'denied' : undefined;
  const readable = targets.value.filter(({ events }) => (events & POLL_READABLE) !== 0);
  return readable.map(({ fd }) => fd);
};
