/**
 * Asks the kernel which TCP sockets listen in our own network: see sock_diag(7).
 *
 * /proc/net/tcp tells the same of any network, but to read it the kernel goes through its whole table of
 * connections, which takes 5 to 50 ms. Here it goes through those that listen, which takes 0.02 ms.
 */
import { closeSync, readSync, writeSync } from 'node:fs';
import {
  AF_INET,
  AF_INET6,
  AF_NETLINK,
  INET_DIAG_LAYOUT,
  INET_DIAG_REQUEST_LAYOUT,
  IPPROTO_TCP,
  NETLINK_SOCK_DIAG,
  NLM_F_REQUEST_DUMP,
  NLMSG_DONE,
  NLMSG_ERROR,
  NLMSGHDR_LAYOUT,
  O_CLOEXEC,
  O_NONBLOCK,
  SOCK_DIAG_BY_FAMILY,
  SOCK_RAW,
  TCP_LISTEN_STATE,
} from './constants.ts';
import { libc } from './libc.ts';

export interface TcpListener {
  port: number;
  address: Buffer;
}

/** By inode. Undefined if the kernel does not answer: then /proc has to be read. */
export const tcpListeners = (): Map<string, TcpListener> | undefined => {
  const kind = SOCK_RAW | O_CLOEXEC | O_NONBLOCK;
  const socket = libc().socket(AF_NETLINK, kind, NETLINK_SOCK_DIAG);
  if (socket < 0) return undefined;
  try {
    return new Map([...listenersOf(AF_INET, socket), ...listenersOf(AF_INET6, socket)]);
  } catch {
    // The kernel has no sock_diag, or a container forbids it.
    return undefined;
  } finally {
    closeSync(socket);
  }
};

/** The kernel sends as many messages at once as fit into the buffer, and at most 32 KiB. */
const answer = Buffer.allocUnsafeSlow(32 * 1024);

const listenersOf = (family: number, socket: number): [inode: string, TcpListener][] => {
  writeSync(socket, requests[family]!);
  const found: [string, TcpListener][] = [];
  for (;;) {
    const bytes = readSync(socket, answer);
    if (bytes === 0) throw new Error('no answer');
    for (let at = 0; at < bytes; ) {
      const type = answer.readUInt16LE(at + NLMSGHDR_LAYOUT.type);
      if (type === NLMSG_DONE) return found;
      if (type === NLMSG_ERROR) throw new Error('refused');
      found.push(listenerAt(at + NLMSGHDR_LAYOUT.bytes, family));
      at += aligned(answer.readUInt32LE(at));
    }
  }
};

const listenerAt = (at: number, family: number): [inode: string, TcpListener] => {
  const { port, address, inode } = INET_DIAG_LAYOUT;
  const start = at + address;
  const length = family === AF_INET ? 4 : 16;
  return [
    String(answer.readUInt32LE(at + inode)),
    {
      port: answer.readUInt16BE(at + port),
      address: Buffer.from(answer.subarray(start, start + length)),
    },
  ];
};

/** Messages begin at multiples of four bytes. */
const aligned = (bytes: number): number => (bytes + 3) & ~3;

const requestFor = (family: number): Buffer => {
  const { bytes } = NLMSGHDR_LAYOUT;
  const request = Buffer.alloc(bytes + INET_DIAG_REQUEST_LAYOUT.bytes);
  request.writeUInt32LE(request.length);
  request.writeUInt16LE(SOCK_DIAG_BY_FAMILY, NLMSGHDR_LAYOUT.type);
  request.writeUInt16LE(NLM_F_REQUEST_DUMP, NLMSGHDR_LAYOUT.flags);
  request.writeUInt8(family, bytes);
  request.writeUInt8(IPPROTO_TCP, bytes + INET_DIAG_REQUEST_LAYOUT.protocol);
  request.writeUInt32LE(1 << TCP_LISTEN_STATE, bytes + INET_DIAG_REQUEST_LAYOUT.states);
  return request;
};

const requests: Readonly<Record<number, Buffer>> = {
  [AF_INET]: requestFor(AF_INET),
  [AF_INET6]: requestFor(AF_INET6),
};
