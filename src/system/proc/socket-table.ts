/** The kernel's socket tables. Each process sees its own, because a container has its own network. */
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

/**
 * Whether all these sockets are Unix sockets without a path. This is called for every event loop in
 * every observation, so it searches the text and does not split it into rows.
 */
export const areUnnamedUnixSockets = (
  pid: number,
  inodes: readonly number[],
  proc: ProcReader,
): boolean => {
  const table = proc.read(`/proc/${pid}/net/unix`);
  if (table.missing) return false;
  // If a socket has no path, the inode is the last field of its row.
  return inodes.every((inode) => new RegExp(` ${inode}$`, 'm').test(table.value));
};
