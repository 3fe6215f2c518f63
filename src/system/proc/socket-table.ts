/** The kernel's tables of sockets, as a process sees them: a container has a network of its own. */
import type { ProcReader } from './proc.ts';

/** The fields of each row. See proc_pid_net(5). */
export const socketTableRows = (
  pid: number,
  table: 'tcp' | 'tcp6' | 'unix',
  proc: ProcReader,
): string[][] => {
  const text = proc.read(`/proc/${pid}/net/${table}`);
  if (text.missing) return [];
  return text.value
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
};

/** Asked for every event loop at every observation, so the text is searched as it is. */
export const areUnnamedUnixSockets = (
  pid: number,
  inodes: readonly number[],
  proc: ProcReader,
): boolean => {
  const table = proc.read(`/proc/${pid}/net/unix`);
  if (table.missing) return false;
  // Rows of sockets without a path end with the inode.
  return inodes.every((inode) => new RegExp(` ${inode}$`, 'm').test(table.value));
};
