/**
 * The paths of everything that belongs to the daemon. Nothing else computes them.
 *
 * docs/guide/daemon.md describes them. `REPARTEE_SOCKET` names another socket, and so another daemon, with
 * its own log and its own journal.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import {
  recordingsFolder,
  stateFolder,
  userConfigFolder,
} from '../../system/files/user-folders.ts';
import { ownPidNamespace } from '../../system/proc/own-process.ts';

/** As its process is called. */
export const DAEMON_NAME = 'repartee-daemon';

export interface DaemonPaths {
  /** Owned by this user and closed to all others. Contains the socket and the lock. */
  runtimeFolder: string;
  socket: string;
  /** Held by the daemon as long as it lives, so that there is never a second one. */
  lock: string;
  /** Contains what outlives the daemon: recordings, the log, the journal. And the second socket. */
  stateFolder: string;
  /** The same daemon is found here while the runtime folder is gone, as after the last logout. */
  stateSocket: string;
  /**
   * How the second sockets of all daemons of this user on this machine begin. One that was started with
   * another XDG_RUNTIME_DIR, or without it, is used, and no second one started beside it: some clients
   * (Codex, the MCP SDK) pass no XDG variables to their servers. Absent with REPARTEE_SOCKET.
   */
  stateSocketPrefix?: string;
  /**
   * The usual places of a user's first socket, besides ours: a client may pass on neither the folders of the
   * login nor the user's home. Empty for who has named a socket or a state folder, to be apart.
   */
  usualSockets: readonly string[];
  recordings: string;
  log: string;
  /** The list of open sessions. After a crash, the next daemon reads it. */
  journal: string;
  /** What was started, typed and decided. */
  audit: string;
  /** The user's policy, in the configuration folder. */
  policy: string;
  /** The folder in XDG_RUNTIME_DIR, if it cannot be used. The user may expect sessions there. */
  ignoredRuntimeDir?: { path: string; reason: string };
}

type Env = Readonly<Record<string, string | undefined>>;

export const daemonPaths = (env: Env = process.env): DaemonPaths => {
  const { REPARTEE_SOCKET } = env;
  const uid = process.getuid?.();
  const xdg = isAbsolute(env.XDG_RUNTIME_DIR ?? '') ? env.XDG_RUNTIME_DIR : undefined;
  const owner = xdg === undefined ? undefined : ownerOf(xdg);
  const socket = REPARTEE_SOCKET ? resolve(REPARTEE_SOCKET) : standardSocket(xdg, uid);
  const state = stateFolder(env);
  // A daemon with a socket of its own shares the state folder.
  const suffix = markOf(socket);
  // Other machines and containers may have the same state folder, and none of them our processes.
  const machine = markOf(hostname(), ownPidNamespace());
  const prefix = join(state, `${REPARTEE_SOCKET ? 'separate' : 'daemon'}-${machine}-`);
  return {
    runtimeFolder: dirname(socket),
    socket,
    lock: join(dirname(socket), `${basename(socket)}.lock`),
    stateFolder: state,
    stateSocket: `${prefix}${suffix}.sock`,
    ...(!REPARTEE_SOCKET && { stateSocketPrefix: prefix }),
    usualSockets:
      REPARTEE_SOCKET || env.XDG_STATE_HOME
        ? []
        : usualSockets(uid).filter((usual) => usual !== socket),
    recordings: recordingsFolder(env),
    log: join(state, `daemon-${suffix}.log`),
    journal: join(state, `living-${suffix}.json`),
    audit: join(state, `audit-${suffix}.jsonl`),
    policy: policyPath(env),
    ...(!REPARTEE_SOCKET &&
      xdg &&
      owner !== uid && { ignoredRuntimeDir: { path: xdg, reason: whyNot(owner) } }),
  };
};

/**
 * After `su` the variable still names the other user's folder, which we do not use. Where it is not set,
 * the folder of the user's login is looked for.
 */
const standardSocket = (xdg: string | undefined, uid: number | undefined): string => {
  const folder = [xdg ?? loginFolder(uid)].find((each) => ownerOf(each) === uid);
  return folder ? join(folder, SOCKET_BELOW_RUNTIME) : socketWithoutLogin(uid);
};

const usualSockets = (uid: number | undefined): string[] => [
  join(loginFolder(uid), SOCKET_BELOW_RUNTIME),
  socketWithoutLogin(uid),
];

const socketWithoutLogin = (uid: number | undefined): string => `/tmp/repartee-${uid}/daemon.sock`;

/** Made by systemd and elogind at a login. */
const loginFolder = (uid: number | undefined): string => `/run/user/${uid}`;

export const policyPath = (env: Env = process.env): string =>
  join(userConfigFolder(env), 'repartee', 'policy.json');

const SOCKET_BELOW_RUNTIME = 'repartee/daemon.sock';

const markOf = (...parts: string[]): string =>
  createHash('sha256').update(parts.join('\0')).digest('hex').slice(0, 8);

const whyNot = (owner: number | undefined) =>
  owner === undefined ? 'is not there' : "is another user's or cannot be entered";

/** Undefined if there is no such file, and -1 if this user may not look at it. */
const ownerOf = (path: string): number | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return -1;
  }
};
