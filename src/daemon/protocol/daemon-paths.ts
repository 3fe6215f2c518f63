/**
 * Where everything of the daemon lies, and the only place that knows it.
 *
 * docs/guide/daemon.md says the same in prose. `REPARTEE_SOCKET` names another socket, and with it another
 * daemon: its log and its list of living sessions bear a mark of their own.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { recordingsFolder, stateFolder } from '../../system/files/user-folders.ts';

export interface DaemonPaths {
  /** Owned by this user and closed to all others; holds what lives as long as the daemon. */
  runtimeFolder: string;
  socket: string;
  /** Held by the daemon as long as it lives, so that there is never a second one. */
  lock: string;
  /** Outlives the daemon: recordings, the log, the list of living sessions. */
  stateFolder: string;
  recordings: string;
  log: string;
  /** The sessions alive, for whoever comes after a crash. */
  journal: string;
  /** What XDG_RUNTIME_DIR names, where that cannot be used: sessions may be looked for there in vain. */
  passedOver?: { path: string; reason: string };
}

type Env = Readonly<Record<string, string | undefined>>;

export const daemonPaths = (env: Env = process.env): DaemonPaths => {
  const asked = env.REPARTEE_SOCKET;
  const given = isAbsolute(env.XDG_RUNTIME_DIR ?? '') ? env.XDG_RUNTIME_DIR : undefined;
  // After `su` the variable still names the other user's folder: then it is none for us.
  const uid = process.getuid?.();
  const owner = given === undefined ? undefined : ownerOf(given);
  const runtime = given && owner === uid ? join(given, 'repartee') : `/tmp/repartee-${uid}`;
  const socket = asked ? resolve(asked) : join(runtime, 'daemon.sock');
  const state = stateFolder(env);
  // A login has a runtime folder that a job of cron has not: two daemons, and one state folder.
  const mark = `-${createHash('sha256').update(socket).digest('hex').slice(0, 8)}`;
  return {
    runtimeFolder: dirname(socket),
    socket,
    lock: join(dirname(socket), `${basename(socket)}.lock`),
    stateFolder: state,
    recordings: recordingsFolder(env),
    log: join(state, `daemon${mark}.log`),
    journal: join(state, `living${mark}.json`),
    ...(!asked && given && owner !== uid && { passedOver: { path: given, reason: whyNot(owner) } }),
  };
};

const whyNot = (owner: number | undefined) =>
  owner === undefined ? 'is not there' : "is another user's or cannot be entered";

/** Undefined where there is nothing; of what this user may not even look at, nobody's. */
const ownerOf = (path: string): number | undefined => {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.uid;
  } catch {
    return -1;
  }
};
