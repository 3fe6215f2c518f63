/**
 * Passes descriptors to another process, each with a message, on a socket that nothing else reads:
 * Node's streams would drop them.
 *
 * A message that was sent is safe: the kernel holds its descriptors until it is received, even if the
 * sender has ended. All messages on a socket have the same length, and so arrive as they were sent.
 */
import { TerminalUnavailable } from '../errors.ts';
import {
  AF_UNIX,
  CMSGHDR_LAYOUT,
  IOVEC_BYTES,
  MSG_CMSG_CLOEXEC,
  MSG_DONTWAIT,
  MSG_NOSIGNAL,
  MSGHDR_LAYOUT,
  O_CLOEXEC,
  SCM_RIGHTS,
  SOCK_STREAM,
  SOL_SOCKET,
} from './constants.ts';
import { lastErrnoName, libc } from './libc.ts';

export interface PassedMessage {
  bytes: Buffer;
  descriptors: number[];
}

/** A session's two ends and its memory. */
const MAX_DESCRIPTORS = 3;
const CONTROL_BYTES = CMSGHDR_LAYOUT.bytes + 4 * MAX_DESCRIPTORS + 4;

/** The two ends of a new socket. A child process inherits an end only if it is told to. */
export const openSocketPair = (): [number, number] => {
  const ends = new Int32Array(2);
  if (libc().socketpair(AF_UNIX, SOCK_STREAM | O_CLOEXEC, 0, ends) < 0)
    throw new TerminalUnavailable('socketpair', lastErrnoName());
  return [ends[0]!, ends[1]!];
};

/** One for all calls, and for good: the header has the addresses of the others in it. */
const header = Buffer.alloc(MSGHDR_LAYOUT.bytes);
const part = Buffer.alloc(IOVEC_BYTES);
const control = Buffer.alloc(CONTROL_BYTES);

/** Returns false if the socket is full, or if nobody holds its other end: then nothing was sent. */
export const sendDescriptors = (
  socket: number,
  bytes: Uint8Array,
  descriptors: readonly number[] = [],
): boolean => {
  const controlBytes = CMSGHDR_LAYOUT.bytes + 4 * descriptors.length;
  control.writeBigUInt64LE(BigInt(controlBytes));
  control.writeInt32LE(SOL_SOCKET, CMSGHDR_LAYOUT.level);
  control.writeInt32LE(SCM_RIGHTS, CMSGHDR_LAYOUT.type);
  for (const [at, fd] of descriptors.entries())
    control.writeInt32LE(fd, CMSGHDR_LAYOUT.bytes + 4 * at);
  pointTo(bytes, descriptors.length > 0 ? controlBytes : 0);
  const sent = libc().sendmsg(socket, header, MSG_DONTWAIT | MSG_NOSIGNAL);
  if (sent === bytes.length) return true;
  const problem = sent < 0 ? lastErrnoName() : 'cut short';
  if (['EAGAIN', 'EPIPE', 'ECONNRESET'].includes(problem)) return false;
  throw new TerminalUnavailable('sendmsg', problem);
};

/** Undefined if there is no message now, or if the other end is closed. */
export const receiveDescriptors = (
  socket: number,
  messageBytes: number,
): PassedMessage | undefined => {
  const bytes = Buffer.alloc(messageBytes);
  control.fill(0);
  pointTo(bytes, CONTROL_BYTES);
  const received = libc().recvmsg(socket, header, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
  if (received === 0) return undefined;
  if (received < 0) {
    const problem = lastErrnoName();
    if (['EAGAIN', 'ECONNRESET'].includes(problem)) return undefined;
    throw new TerminalUnavailable('recvmsg', problem);
  }
  const end = Number(control.readBigUInt64LE());
  const descriptors: number[] = [];
  for (let at: number = CMSGHDR_LAYOUT.bytes; at < end; at += 4)
    descriptors.push(control.readInt32LE(at));
  return { bytes: bytes.subarray(0, received), descriptors };
};

const pointTo = (bytes: Uint8Array, controlBytes: number): void => {
  const { addressOf } = libc();
  part.writeBigUInt64LE(addressOf(bytes));
  part.writeBigUInt64LE(BigInt(bytes.length), 8);
  header.fill(0);
  header.writeBigUInt64LE(addressOf(part), MSGHDR_LAYOUT.parts);
  header.writeBigUInt64LE(1n, MSGHDR_LAYOUT.partCount);
  if (controlBytes === 0) return;
  header.writeBigUInt64LE(addressOf(control), MSGHDR_LAYOUT.control);
  header.writeBigUInt64LE(BigInt(controlBytes), MSGHDR_LAYOUT.controlBytes);
};
