/**
 * The ports and Unix sockets on which a session's processes listen: "the server is up", known from the
 * kernel and not matched in a log.
 */
import { descriptorLinksOf } from './proc/descriptor-info.ts';
import { type ProcReader, realProc } from './proc/proc.ts';
import { socketTableRows } from './proc/socket-table.ts';
import { descendantPids } from './process/process-tree.ts';

export type ListeningSocket = { port: number; address: string } | { path: string };

/**
 * Remembers what it has found out: to read the kernel's table of connections takes milliseconds, and
 * what is connected can never listen. A socket that does neither yet is looked at every time.
 */
export class ListeningSockets {
  readonly #proc: ProcReader;
  /** By inode, of the sockets that were open at the last look. */
  #known = new Map<string, ListeningSocket | 'connected'>();

  constructor(proc: ProcReader = realProc) {
    this.#proc = proc;
  }

  /** Of the process and all its descendants, in the foreground or not. */
  of(root: number): ListeningSocket[] {
    const open = new Map<string, ListeningSocket | 'connected'>();
    for (const pid of descendantPids(root, this.#proc)) {
      const inodes = socketsOf(this.#proc, pid);
      const isNew = inodes.some((inode) => !this.#known.has(inode) && !open.has(inode));
      // The process's own view: a container has a network of its own.
      const table = isNew ? socketsSeenBy(this.#proc, pid) : new Map();
      for (const inode of inodes) {
        const socket = open.get(inode) ?? this.#known.get(inode) ?? table.get(inode);
        if (socket !== undefined) open.set(inode, socket);
      }
    }
    this.#known = open;
    return [...open.values()].filter((socket) => socket !== 'connected');
  }

  /** One port, whether it listens for IPv4 or for IPv6. */
  ports(root: number): number[] {
    const ports = this.of(root).flatMap((socket) => ('port' in socket ? socket.port : []));
    return [...new Set(ports)];
  }
}

const socketsOf = (proc: ProcReader, pid: number): string[] =>
  descriptorLinksOf(pid, proc).flatMap((link) => /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? []);

type Entry = [inode: string, socket: ListeningSocket | 'connected'];

const socketsSeenBy = (proc: ProcReader, pid: number): Map<string, ListeningSocket | 'connected'> =>
  new Map([
    ...socketTableRows(pid, 'tcp', proc).flatMap(tcpSocket),
    ...socketTableRows(pid, 'tcp6', proc).flatMap(tcpSocket),
    ...socketTableRows(pid, 'unix', proc).flatMap(unixSocket),
  ]);

/** TCP_LISTEN and TCP_CLOSE, which is how a socket begins, in include/net/tcp_states.h. */
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

/** __SO_ACCEPTCON and SS_CONNECTED in include/uapi/linux/net.h. */
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

/** The kernel prints 32-bit words in the machine's own (little-endian) order. */
const parseAddress = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex').swap32();
  if (bytes.length === 4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  // Written short, as URL does it: [::1].
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
};
