/**
 * Pipes and sockets of which one process holds both ends. Event loops wake themselves through a pipe
 * (libuv) or a pair of sockets (asyncio, and so every prompt_toolkit program). No other process can
 * write to them, so a program that waits for one does not wait for another process.
 */
import { descriptorLinksOf, socketInodeOf } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { areUnnamedUnixSockets } from '../proc/socket-table.ts';

/**
 * Tells of a link whether the process itself holds the other end. `waitedFor` has all links of the same
 * wait. A program may wait for thousands, so what the process holds is listed only once.
 */
export const selfPipeTest = (
  proc: ProcReader,
  pid: number,
  waitedFor: readonly string[],
): ((link: string) => boolean) => {
  const all = new Set(waitedFor);
  let held: Held | undefined;
  return (link) => {
    if (!link.startsWith('pipe:') && !link.startsWith('socket:')) return false;
    held ??= heldBy(pid, proc);
    // Both ends of a pipe have the same link.
    if (link.startsWith('pipe:')) return held.twice.has(link);
    const inode = socketInodeOf(link);
    if (inode === undefined) return false;
    const other = pairOf(inode, held.sockets);
    // Two connections to other processes can have adjacent inodes too. But then the program waits for
    // both, while it waits for only one end of its own pair.
    if (other === undefined || all.has(`socket:[${other}]`)) return false;
    return areUnnamedUnixSockets(pid, [inode, other], proc);
  };
};

interface Held {
  /** The links that more than one of its descriptors has. */
  twice: ReadonlySet<string>;
  /** The inodes of its sockets. */
  sockets: ReadonlySet<number>;
}

const heldBy = (pid: number, proc: ProcReader): Held => {
  const [seen, twice, sockets] = [new Set<string>(), new Set<string>(), new Set<number>()];
  for (const link of descriptorLinksOf(pid, proc)) {
    if (seen.has(link)) twice.add(link);
    seen.add(link);
    const inode = socketInodeOf(link);
    if (inode !== undefined) sockets.add(inode);
  }
  return { twice, sockets };
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
