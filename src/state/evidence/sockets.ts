/**
 * On which ports and Unix sockets a session's processes listen: "the server is up", known and not
 * matched in its log.
 */

import { type Proc, realProc } from '../../pty/proc.ts';
import { descendants } from '../../pty/process-tree.ts';

export type Listening = { port: number; address: string } | { path: string };

/** Of the process and all its descendants, in the foreground or not. */
export const listeningSockets = (root: number, proc: Proc = realProc): Listening[] => {
  const found = new Map<string, Listening>();
  for (const pid of descendants(root, proc)) {
    const inodes = socketsOf(proc, pid);
    if (inodes.size === 0) continue;
    // The process's own view: a container has a network of its own.
    for (const { inode, socket } of listenersIn(proc, `/proc/${pid}/net`)) {
      if (inodes.has(inode)) found.set(inode, socket);
    }
  }
  return [...found.values()];
};

/** One port, whether it listens for IPv4 or for IPv6. */
export const listeningPorts = (root: number, proc: Proc = realProc): number[] => {
  const ports = listeningSockets(root, proc).flatMap((socket) =>
    'port' in socket ? socket.port : [],
  );
  return [...new Set(ports)];
};

const socketsOf = (proc: Proc, pid: number): Set<string> => {
  const fds = proc.list(`/proc/${pid}/fd`);
  const links = (fds.missing ? [] : fds.value).map((fd) => proc.link(`/proc/${pid}/fd/${fd}`));
  return new Set(
    links.flatMap((link) =>
      link.missing ? [] : (/^socket:\[(\d+)\]$/.exec(link.value)?.[1] ?? []),
    ),
  );
};

interface Listener {
  inode: string;
  socket: Listening;
}

const listenersIn = (proc: Proc, net: string): Listener[] => [
  ...rows(proc, `${net}/tcp`).flatMap(tcpListener),
  ...rows(proc, `${net}/tcp6`).flatMap(tcpListener),
  ...rows(proc, `${net}/unix`).flatMap(unixListener),
];

const rows = (proc: Proc, path: string): string[][] => {
  const table = proc.read(path);
  if (table.missing) return [];
  return table.value
    .split('\n')
    .slice(1)
    .map((line) => line.trim().split(/\s+/));
};

/** TCP_LISTEN in include/net/tcp_states.h. */
const TCP_LISTEN = '0A';

/** `sl local_address rem_address st tx:rx tr:when retrnsmt uid timeout inode …` */
const tcpListener = (fields: readonly string[]): Listener[] => {
  const [, local = '', , state] = fields;
  const inode = fields[9];
  if (state !== TCP_LISTEN || inode === undefined) return [];
  const [host = '', port = ''] = local.split(':');
  return [{ inode, socket: { port: Number.parseInt(port, 16), address: parseAddress(host) } }];
};

/** __SO_ACCEPTCON in include/uapi/linux/net.h. */
const ACCEPTING = 0x10000;

/** `Num: RefCount Protocol Flags Type St Inode Path` */
const unixListener = (fields: readonly string[]): Listener[] => {
  const [, , , flags = '0', , , inode, path] = fields;
  if ((Number.parseInt(flags, 16) & ACCEPTING) === 0 || inode === undefined) return [];
  return path === undefined ? [] : [{ inode, socket: { path } }];
};

/** The kernel prints 32-bit words in the machine's own (little-endian) order. */
const parseAddress = (hex: string): string => {
  const bytes = Buffer.from(hex, 'hex').swap32();
  if (bytes.length === 4) return [...bytes].join('.');
  const groups = Array.from({ length: 8 }, (_, at) => bytes.readUInt16BE(at * 2).toString(16));
  // Written short, as URL does it: [::1].
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
};
