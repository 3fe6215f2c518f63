/**
 * Where everything of the daemon lies, and the only place that knows it.
 *
 * docs/daemon.md says the same in prose. `REPARTEE_SOCKET` names another socket, and with it another
 * daemon: its log and its list of living sessions bear a mark of their own.
 */
import { createHash } from 'node:crypto';
import { lstatSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';

export interface Places {
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
  living: string;
  configFolder: string;
}

type Env = Readonly<Record<string, string | undefined>>;

export const places = (env: Env = process.env): Places => {
  const asked = env.REPARTEE_SOCKET;
  const socket = asked ? resolve(asked) : join(runtimeFolder(env), 'daemon.sock');
  const home = env.HOME || homedir();
  const stateFolder = join(absolute(env.XDG_STATE_HOME) ?? join(home, '.local/state'), 'repartee');
  // A login has a runtime folder that a job of cron has not: two daemons, and one state folder.
  const mark = `-${createHash('sha256').update(socket).digest('hex').slice(0, 8)}`;
  return {
    runtimeFolder: dirname(socket),
    socket,
    lock: join(dirname(socket), `${basename(socket)}.lock`),
    stateFolder,
    recordings: join(stateFolder, 'recordings'),
    log: join(stateFolder, `daemon${mark}.log`),
    living: join(stateFolder, `living${mark}.json`),
    configFolder: join(absolute(env.XDG_CONFIG_HOME) ?? join(home, '.config'), 'repartee'),
  };
};

/** After `su` the variable still names the other user's folder: then it is none for us. */
const runtimeFolder = (env: Env): string => {
  const given = absolute(env.XDG_RUNTIME_DIR);
  const isOurs = given !== undefined && ownerOf(given) === process.getuid?.();
  return isOurs ? join(given, 'repartee') : `/tmp/repartee-${process.getuid?.()}`;
};

/** The XDG specification has relative paths ignored. */
const absolute = (path: string | undefined): string | undefined =>
  path?.startsWith('/') ? path : undefined;

const ownerOf = (path: string): number | undefined =>
  lstatSync(path, { throwIfNoEntry: false })?.uid;
