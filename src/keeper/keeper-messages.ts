/**
 * What the daemon and its keeper say to each other. A message is a type and the number of a session, and
 * some carry descriptors. The keeper understands nothing else.
 */

/** All have the same length, so that each is received with its own descriptors. */
export const MESSAGE_BYTES = 8;

export const keeperMessages = {
  /**
   * To the keeper, with two or three descriptors: a session's memory, what is held until the session is
   * closed (a terminal's master, the pipe of output), and what may have to be let go before that (our
   * slave, the pipe of input). As session 0 the memory alone, in which the daemon keeps
   * what belongs to no session.
   */
  hold: 1,
  /** To the keeper: let the third go, because others must find that nobody holds it. */
  dropSecond: 2,
  /** To the keeper: the session is closed. */
  release: 3,
  /**
   * To the keeper: the daemon listens, and has taken over all that it was given. With a memory file, if
   * it is to be started by another command from now on: it may be another version.
   */
  ready: 4,
  /** To the daemon, with the descriptors of a session: go on with it. */
  held: 5,
  /** To the daemon: there are no more. */
  allHeld: 6,
  /** To the keeper: a socket is gone, create it again. The number says which: see `SOCKETS`. */
  bind: 7,
  /** To the daemon, with the new socket. Without, if it cannot be created now. */
  bound: 8,
} as const;

/** The number under which the daemon's own store is held. */
export const DAEMON_STORE = 0;

/** The sockets at which clients connect, by the folder that they are in. */
export const SOCKETS = ['runtime', 'state'] as const;
export type SocketPlace = (typeof SOCKETS)[number];

export type KeeperMessageType = keyof typeof keeperMessages;

export interface KeeperMessage {
  type: KeeperMessageType;
  session: number;
}

export const encodeKeeperMessage = ({ type, session }: KeeperMessage): Buffer => {
  const bytes = Buffer.alloc(MESSAGE_BYTES);
  bytes.writeUInt32LE(keeperMessages[type]);
  bytes.writeUInt32LE(session, 4);
  return bytes;
};

/** Undefined if it is none that we know. */
export const decodeKeeperMessage = (bytes: Buffer): KeeperMessage | undefined => {
  if (bytes.length !== MESSAGE_BYTES) return undefined;
  const code = bytes.readUInt32LE();
  const found = Object.entries(keeperMessages).find(([, known]) => known === code);
  return found && { type: found[0] as KeeperMessageType, session: bytes.readUInt32LE(4) };
};
