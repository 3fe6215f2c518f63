/** Who is at the other end of a unix socket, as the kernel noted it when the connection was made. */
import type { Socket } from 'node:net';
import { SO_PEERCRED, SOL_SOCKET, UCRED_LAYOUT } from './constants.ts';
import { libc } from './libc.ts';

export interface PeerCredentials {
  /** 0 for a process in a container whose processes we cannot see. It may have ended since. */
  pid: number;
  uid: number;
}

/** Undefined if the connection is closed already. */
export const peerCredentials = (socket: Socket): PeerCredentials | undefined => {
  // Node has no public way to ask for the descriptor of a socket.
  const { _handle: handle } = socket as { _handle?: { fd?: number } | null };
  const ucred = Buffer.alloc(UCRED_LAYOUT.bytes);
  const bytes = Uint32Array.of(ucred.length);
  const fd = handle?.fd ?? -1;
  if (libc().getsockopt(fd, SOL_SOCKET, SO_PEERCRED, ucred, bytes) < 0) return undefined;
  return {
    pid: ucred.readInt32LE(UCRED_LAYOUT.pid),
    uid: ucred.readUInt32LE(UCRED_LAYOUT.uid),
  };
};
