/**
 * Keeps other processes of the same user out of this one's memory and descriptors, which hold secrets:
 * through /proc/PID/fd, /proc/PID/mem, pidfd_getfd(2) and ptrace(2). It writes no core dump either.
 *
 * It ends with execve, and a child that executes a program does not inherit it. Root is not kept out.
 */
import { PR_SET_DUMPABLE } from '../constants.ts';
import { libc } from '../libc.ts';

export const hideProcess = (): void => {
  libc().prctl(PR_SET_DUMPABLE, 0);
};
