/**
 * Pipes and sockets through which a program talks to itself: event loops wake themselves through a
 * pipe (libuv) or a pair of sockets (asyncio, and so every prompt_toolkit program). No other process
 * can write to them, so waiting for one is not waiting for another process.
 */
import { descriptorLinksOf } from '../proc/descriptor-info.ts';
import type { ProcReader } from '../proc/proc.ts';
import { areUnnamedUnixSockets } from '../proc/socket-table.ts';

/** Whether the process itself holds the other end. `waitedFor`: all the links in the same wait. */
export const isSelfPipe = (
  proc: ProcReader,
  pid: number,
  link: string,
  waitedFor: readonly string[],
): boolean => {
  if (!link.startsWith('pipe:') && !link.startsWith('socket:')) return false;
  const held = descriptorLinksOf(pid, proc);
  // Both ends of a pipe bear one number.
  if (link.startsWith('pipe:')) return held.filter((other) => other === link).length > 1;
  const inode = inodeOf(link);
  if (inode === undefined) return false;
  const other = pairOf(inode, new Set(held.flatMap((end) => inodeOf(end) ?? [])));
  // Two connections can be neighbours as well, but then both are waited for.
  if (other === undefined || waitedFor.includes(`socket:[${other}]`)) return false;
  return areUnnamedUnixSockets(pid, [inode, other], proc);
};

/**
 * socketpair(2) makes both in one go, so their numbers are neighbours. In a row of such pairs the
 * place tells who belongs to whom; in an odd row, as where a pair was made just before a connection
 * (a client that relays a terminal over a Unix socket), nothing does.
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
