/**
 * The socket that systemd has opened for us, as in sd_listen_fds(3): it listens before we are started, and
 * starts us for the first client.
 */
import { AF_UNIX, SO_ACCEPTCONN, SO_DOMAIN, SOL_SOCKET } from './constants.ts';
import { libc } from './libc.ts';

/** SD_LISTEN_FDS_START */
const FIRST_DESCRIPTOR = 3;
const VARIABLES = ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES'] as const;

type Env = Record<string, string | undefined>;

/**
 * Undefined if there is none. Removes the variables: they are not for those whom we start. Throws if what
 * they announce is not one listening unix socket.
 */
export const takeActivatedSocket = (env: Env = process.env): number | undefined => {
  const { LISTEN_PID, LISTEN_FDS } = env;
  for (const name of VARIABLES) delete env[name];
  // Otherwise they are left over from a process that has started us.
  if (LISTEN_FDS === undefined || Number(LISTEN_PID) !== process.pid) return undefined;
  if (LISTEN_FDS !== '1')
    throw new Error(`LISTEN_FDS is ${LISTEN_FDS}, but the unit may have one ListenStream alone`);
  const isUsable =
    socketOption(FIRST_DESCRIPTOR, SO_ACCEPTCONN) === 1 &&
    socketOption(FIRST_DESCRIPTOR, SO_DOMAIN) === AF_UNIX;
  if (!isUsable)
    throw new Error(`descriptor ${FIRST_DESCRIPTOR} of LISTEN_FDS is no listening unix socket`);
  return FIRST_DESCRIPTOR;
};

/** Undefined if the descriptor is no socket. */
const socketOption = (fd: number, option: number): number | undefined => {
  const value = Buffer.alloc(4);
  const isKnown = libc().getsockopt(fd, SOL_SOCKET, option, value, new Uint32Array([4])) === 0;
  return isKnown ? value.readInt32LE() : undefined;
};
