/**
 * Which processes have something open that a thread in the foreground waits for: they can wake it. An
 * event loop wakes itself by a pipe, a pair of sockets or an eventfd, but each of these may have been
 * inherited by a process of which nothing else is known.
 */
import {
  descriptorLinkOf,
  descriptorsOf,
  eventIdOf,
  socketInodeOf,
} from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import type { ObservedThread } from './observe-thread.ts';

/** The names of the files that these threads wait for. */
export const awaitedFiles = (
  found: readonly ObservedThread[],
  proc: ProcReader,
): ReadonlySet<string> => new Set(found.flatMap((thread) => awaitedBy(thread, proc)));

/** Whether a process has one of these files open. */
export const sharesFile = (
  pid: number,
  awaited: ReadonlySet<string>,
  proc: ProcReader,
): boolean => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return false;
  return fds.value.some((fd) => awaited.has(fileName(pid, fd, proc) ?? ''));
};

const awaitedBy = ({ thread: { pid }, wait }: ObservedThread, proc: ProcReader): string[] =>
  (wait?.fds ?? []).flatMap((fd) => {
    const name = fileName(pid, fd, proc);
    return name === undefined ? [] : [name, ...neighbours(name)];
  });

/** Undefined for a file by which nobody can be woken, or that is told apart in no other way. */
const fileName = (pid: number, fd: number | string, proc: ProcReader): string | undefined => {
  const link = descriptorLinkOf(pid, fd, proc);
  if (link.missing) return undefined;
  if (link.value === 'anon_inode:[eventfd]') return eventIdOf(pid, fd, proc);
  return /^(pipe:|socket:|\/dev\/pts\/)/.test(link.value) ? link.value : undefined;
};

/** The other socket of a pair was made just before or after this one. */
const neighbours = (name: string): string[] => {
  const inode = socketInodeOf(name);
  return inode === undefined ? [] : [inode - 1, inode + 1].map((other) => `socket:[${other}]`);
};
