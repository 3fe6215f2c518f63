/**
 * Pipes and sockets of which one process holds both ends. Event loops wake themselves through a pipe
 * (libuv) or a pair of sockets (asyncio, and so every prompt_toolkit program). No other process can
 * write to them, so a program that waits for one does not wait for another process.
 */
import { descriptorLinksOf } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { areUnnamedUnixSockets } from '../proc/socket-table.ts';

/** Whether the process itself holds the other end. `waitedFor` has all links of the same wait. */
export const isSelfPipe = (
  proc: ProcReader,
  pid: number,
  link: string,
  waitedFor: readonly string[],
): boolean => {
  if (!link.startsWith('pipe:') && !link.startsWith('socket:')) return false;
  const held = descriptorLinksOf(pid, proc);
  // Both ends of a pipe have the same link.
  if (link.startsWith('pipe:')) return held.filter((other) => other === link).length > 1;
  const inode = inodeOf(link);
  if (inode === undefined) return false;
  const other = pairOf(inode, new Set(held.flatMap((end) => inodeOf(end) ?? [])));
  // Two connections to other processes can have adjacent inodes too. But then the program waits for
  // both, while it waits for only one end of its own pair.
  if (other === undefined || waitedFor.includes(`socket:[${other}]`)) return false;
  return areUnnamedUnixSockets(pid, [inode, other], proc);
};

/**
 * The inode of the socket that was probably made together with this one. socketpair(2) makes two
 * sockets at once, so their inodes are adjacent. If a run of adjacent inodes has an even length, it
 * consists of pairs: the first and second belong together, then the third and fourth. If its length is
 * odd, we cannot tell. That happens if a program makes a pair just before a connection, such as a
 * client that relays a terminal over a Unix socket.
 */
const pairOf = (inode: number, held: ReadonlySet<number>): number | undefined => {
  let [first, last] = [inode, inode];
  while (held.has(first - 1)) first--;
  while (held.has(last + 1)) last++;
  if ((last - first) % 2 === 0) return undefined;
  return (inode - first) % 2 === 0 ? inode + 1 : inode - 1;
};

const inodeOf = (link: string): number | undefined => {
  const number = /^socket:\[(\d+)\]$/.exec(link)?.[1];
  return number === undefined ? undefined : Number(number);
};
