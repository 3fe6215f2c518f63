/**
 * The ports and Unix sockets on which the processes of a session listen. So we learn from the kernel
 * that a server is up, and need not search its log.
 */
import { isOutOfDescriptors } from './descriptors.ts';
import { descriptorLinksOf, socketInodeOf } from './proc/descriptor-info.ts';
import { type ProcReader, recentProc } from './proc/proc.ts';
import { socketTableRows } from './proc/socket-table.ts';
import { descendantPids } from './process/process-tree.ts';

export type ListeningSocket = { port: number; address: string } | { path: string };

/**
 * Remembers which sockets listen and which are connected, because reading the kernel's table of
 * connections takes milliseconds. A connected socket can never listen, so it needs no second check. A
 * socket that neither listens nor is connected yet is checked every time.
 */
export class ListeningSockets {
  /** The sockets that were open at the last call, by inode. */
  #known = new Map<string, ListeningSocket | 'connected'>();

  /** The sockets of a process and all its descendants, in the foreground or not. */
  of(root: number): ListeningSocket[] {
    const open = new Map<string, ListeningSocket | 'connected'>();
    const proc = recentProc();
    for (const pid of descendantPids(root, proc)) {
      const inodes = socketsOf(proc, pid);
      const isNew = inodes.some((inode) => !this.#known.has(inode) && !open.has(inode));
      // We read the table that this process sees, because a container has a network of its own.
      const table = isNew ? socketsSeenBy(proc, pid) : new Map();
      for (const inode of inodes) {
        const socket = open.get(inode) ?? this.#known.get(inode) ?? table.get(inode);
        if (socket !== undefined) open.set(inode, socket);
      }
    }
    this.#known = open;
    return [...open.values()].filter((socket) => socket !== 'connected');
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
  const isIt = typeof socketsSeenBy(proc, pid).get(String(inode)) === 'object';
  if (listening.size >= MAX_KNOWN) listening.clear();
  listening.set(inode, isIt);
  return isIt;
};

const socketsOf = (proc: ProcReader, pid: number): string[] =>
  descriptorLinksOf(pid, proc).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);

type Entry = [inode: string, socket: ListeningSocket | 'connected'];

const socketsSeenBy = (proc: ProcReader, pid: number): Map<string, ListeningSocket | 'connected'> =>
  new Map([
    ...socketTableRows(pid, 'tcp', proc).flatMap(tcpSocket),
    ...socketTableRows(pid, 'tcp6', proc).flatMap(tcpSocket),
    ...socketTableRows(pid, 'unix', proc).flatMap(unixSocket),
  ]);

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

/** `Num: RefCount Protocol Flags Type St Inode Path` */
const unixSocket = (fields: readonly string[]): Entry[] => {
  const [, , , flags = '0', , state, inode, path] = fields;
  if (inode === undefined) return [];
  const isAccepting = (Number.parseInt(flags, 16) & ACCEPTING) !== 0;
  if (isAccepting) return path === undefined ? [] : [[inode, { path }]];
  return state === CONNECTED ? [[inode, 'connected']] : [];
};

/** The kernel prints 32-bit words in the byte order of the machine, which is little-endian. */
const parseAddress = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex').swap32();
  if (bytes.length === 4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  // URL abbreviates the address, for example to [::1].
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
};
