/**
 * The ports and Unix sockets on which the processes of a session listen. So we learn from the kernel
 * that a server is up, and need not search its log.
 */
import { isOutOfDescriptors } from './descriptors.ts';
import { descriptorLinksOf, socketInodeOf } from './proc/descriptor-info.ts';
import { type ProcReader, recentProc } from './proc/proc.ts';
import { isInOwnNetwork } from './proc/process-info.ts';
import { socketTableRows } from './proc/socket-table.ts';
import { descendantPids } from './process/process-tree.ts';
import { tcpListeners } from './socket-diagnosis.ts';

export type ListeningSocket = { port: number; address: string } | { path: string };

/** What is known of an open socket for good. */
type KnownSocket = ListeningSocket | 'connected' | 'no unix socket';

/**
 * Remembers what cannot change. A socket that listens is never connected, and one that is connected never
 * listens. A socket that neither listens nor is connected yet is checked every time.
 */
export class ListeningSockets {
  /** The sockets that were open at the last call, by inode. */
  #known = new Map<string, KnownSocket>();

  /** The sockets of a process and all its descendants, in the foreground or not. */
  of(root: number): ListeningSocket[] {
    const open = new Map<string, KnownSocket>();
    const proc = recentProc();
    for (const pid of descendantPids(root, proc)) {
      const inodes = socketsOf(proc, pid);
      for (const inode of inodes) {
        const known = open.get(inode) ?? this.#known.get(inode);
        if (known !== undefined) open.set(inode, known);
      }
      for (const [inode, found] of lookUp(proc, pid, inodes, open)) open.set(inode, found);
    }
    this.#known = open;
    return [...open.values()].filter((socket) => typeof socket === 'object');
  }

  /**
   * The ports. A port that listens for both IPv4 and IPv6 is listed once. None if no file descriptor is
   * left to look.
   */
  ports(root: number): number[] {
    try {
      const ports = this.of(root).flatMap((socket) => ('port' in socket ? socket.port : []));
      return [...new Set(ports)];
    } catch (error) {
      if (isOutOfDescriptors(error)) return [];
      throw error;
    }
  }
}

/** For good: a socket that listens is never connected, and one that is connected never listens. */
const listening = new Map<number, boolean>();
const MAX_KNOWN = 1024;

/** Whether a link leads to a socket that only waits for others to connect: nothing is under way on it. */
export const isListening = (pid: number, link: string, proc: ProcReader): boolean => {
  const inode = socketInodeOf(link);
  if (inode === undefined) return false;
  const known = listening.get(inode);
  if (known !== undefined) return known;
  const found = lookUp(proc, pid, [String(inode)], new Map());
  const isIt = typeof found.get(String(inode)) === 'object';
  if (listening.size >= MAX_KNOWN) listening.clear();
  listening.set(inode, isIt);
  return isIt;
};

const socketsOf = (proc: ProcReader, pid: number): string[] =>
  descriptorLinksOf(pid, proc).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);

type Entry = [inode: string, socket: ListeningSocket | 'connected'];

/**
 * What these sockets of a process are, as far as it can be told now and is not known. We ask for what this
 * process sees, because a container has a network of its own.
 */
const lookUp = (
  proc: ProcReader,
  pid: number,
  inodes: readonly string[],
  known: ReadonlyMap<string, KnownSocket>,
): Map<string, KnownSocket> => {
  const found = new Map<string, KnownSocket>();
  const isOpen = (inode: string) => !known.has(inode) || known.get(inode) === 'no unix socket';
  if (!inodes.some(isOpen)) return found;
  const internet = internetSocketsSeenBy(proc, pid);
  for (const inode of inodes.filter(isOpen)) {
    const socket = internet.get(inode);
    if (socket !== undefined) found.set(inode, socket);
  }
  const others = inodes.filter((inode) => !known.has(inode) && !found.has(inode));
  if (others.length === 0) return found;
  const unix = unixSocketsSeenBy(proc, pid);
  for (const inode of others) {
    const socket = unix.has(inode) ? unix.get(inode) : 'no unix socket';
    if (socket !== undefined) found.set(inode, socket);
  }
  return found;
};

const internetSocketsSeenBy = (
  proc: ProcReader,
  pid: number,
): Map<string, ListeningSocket | 'connected'> => {
  const listeners = isInOwnNetwork(pid, proc) ? tcpListeners() : undefined;
  if (listeners === undefined)
    return new Map([
      ...socketTableRows(pid, 'tcp', proc).flatMap(tcpSocket),
      ...socketTableRows(pid, 'tcp6', proc).flatMap(tcpSocket),
    ]);
  return new Map(
    [...listeners].map(([inode, { port, address }]) => [
      inode,
      { port, address: addressText(address) },
    ]),
  );
};

/** From include/net/tcp_states.h. A new socket is in the state TCP_CLOSE. */
const TCP_LISTEN = '0A';
const TCP_CLOSE = '07';

/** `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …` */
const tcpSocket = (fields: readonly string[]): Entry[] => {
  const [, local = '', , state] = fields;
  const inode = fields[9];
  if (inode === undefined || state === TCP_CLOSE) return [];
  if (state !== TCP_LISTEN) return [[inode, 'connected']];
  const [host = '', port = ''] = local.split(':');
  return [[inode, { port: Number.parseInt(port, 16), address: parseAddress(host) }]];
};

/** __SO_ACCEPTCON and SS_CONNECTED from include/uapi/linux/net.h. */
const ACCEPTING = 0x10000;
const CONNECTED = '03';

/** `Num: RefCount Protocol Flags Type St Inode Path`. Undefined: it neither listens nor is connected. */
const unixSocketsSeenBy = (
  proc: ProcReader,
  pid: number,
): Map<string, ListeningSocket | 'connected' | undefined> => {
  const sockets = new Map<string, ListeningSocket | 'connected' | undefined>();
  for (const [, , , flags = '0', , state, inode, path] of socketTableRows(pid, 'unix', proc)) {
    if (inode === undefined) continue;
    const isAccepting = (Number.parseInt(flags, 16) & ACCEPTING) !== 0;
    const listener = path === undefined ? undefined : { path };
    const other = state === CONNECTED ? 'connected' : undefined;
    sockets.set(inode, isAccepting ? listener : other);
  }
  return sockets;
};

/** The kernel prints 32-bit words in the byte order of the machine, which is little-endian. */
const parseAddress = (hex: string): string => addressText(Buffer.from(hex, 'hex').swap32());

const addressText = (bytes: Buffer): string => {
  if (bytes.length === 4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  // URL abbreviates the address, for example to [::1].
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
};
