/**
 * The requests of io_uring(7). A program hands them to the kernel and goes on, so its calls do not show
 * what it waits for. The kernel lists which requests wait, but not for which descriptors.
 */
import { descriptorLinkOf, descriptorsOf } from './descriptor-info.ts';
import type { ProcReader } from './proc.ts';

/** The operations that may read a terminal: READV, READ_FIXED, POLL_ADD, READ and READ_MULTISHOT. */
const READS: readonly number[] = [1, 4, 6, 22, 49];

/** `reads`: one of the requests that wait may be for the terminal. Undefined if it has no ring. */
export const ringOf = (pid: number, proc: ProcReader): { reads: boolean } | undefined => {
  const fds = descriptorsOf(pid, proc);
  if (fds.missing) return undefined;
  const rings = fds.value.filter((fd) => {
    const link = descriptorLinkOf(pid, fd, proc);
    return !link.missing && link.value === 'anon_inode:[io_uring]';
  });
  if (rings.length === 0) return undefined;
  return { reads: rings.some((fd) => hasWaitingRead(proc.read(`/proc/${pid}/fdinfo/${fd}`))) };
};

const hasWaitingRead = (info: ReturnType<ProcReader['read']>): boolean => {
  if (info.missing) return true;
  // Kernels that do not list them at all (before 5.13) leave it open.
  if (!info.value.includes('PollList:')) return true;
  return [...info.value.matchAll(/^\s*op=(\d+),/gm)].some(([, op]) => READS.includes(Number(op)));
};
