/** The keeper's program. Its only argument says which daemon to start, and where clients connect. */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { daemonEnvironment } from '../system/daemon-environment.ts';
import { closeInheritedDescriptors } from '../system/files/close-inherited.ts';
import { inheritFileLock, takeFileLock } from '../system/files/file-lock.ts';
import { makePrivateFolders } from '../system/files/user-folders.ts';
import { hideProcess } from '../system/process/hide-process.ts';
import { becomeSubreaper } from '../system/process/subreaper.ts';
import { takeActivatedSocket } from '../system/socket-activation.ts';
import { withShortSocketPath } from '../system/socket-path.ts';
import { listenOnPath, removeSocket } from '../system/unix-listener.ts';
import { descriptorsIn, type HandedOver } from './handed-over.ts';
import { Keeper } from './keeper.ts';
import type { SocketPlace } from './keeper-messages.ts';
import { untilNeeded } from './stand-in.ts';

/** A daemon that is stopping ends its sessions before the lock is free. */
const LOCK_TIMEOUT_MS = 15_000;
const RETRY_MS = 50;

interface KeeperArgument {
  /** The daemon's program and its arguments. It gets one more: the id by which clients know it. */
  daemon: string[];
  socket: string;
  /** A second one, for the time in which the folder of the first is gone. */
  stateSocket?: string;
  lock: string;
  /** By a daemon whose keeper was killed, and which has executed us in its place. */
  handedOver?: HandedOver;
  /** Nothing is done unless all others are dead that hold the same: see stand-in.ts. */
  standsInAt?: number;
}

process.title = 'repartee-keeper';
hideProcess();
try {
  const argument: KeeperArgument = JSON.parse(process.argv[2] ?? '');
  const { handedOver } = argument;
  // Of a systemd unit. Otherwise we create it.
  const activated = handedOver === undefined ? takeActivatedSocket() : undefined;
  const inherited = activated === undefined ? [] : [activated];
  const { standsInAt } = argument;
  closeInheritedDescriptors([
    ...(handedOver ? descriptorsIn(handedOver) : inherited),
    ...(standsInAt === undefined ? [] : [standsInAt]),
  ]);
  if (standsInAt === undefined || (await untilNeeded(standsInAt)))
    process.exitCode = await main(argument, activated);
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error);
  process.exitCode = 1;
}
process.exit();

async function main(argument: KeeperArgument, activated: number | undefined): Promise<number> {
  const { daemon, socket, stateSocket, lock, handedOver } = argument;
  const log = (message: string) => console.error(`${new Date().toISOString()} keeper: ${message}`);
  if (handedOver !== undefined) {
    log('goes on in the place of one that has died');
    void lockSoon(lock, handedOver.lock);
  } else if (!(await acquireLock(argument, activated !== undefined))) return 0;
  let isOurSocket = activated === undefined;
  const bind = (place: SocketPlace) => {
    const path = place === 'state' ? stateSocket : socket;
    if (path === undefined) throw new Error('there is no place for it');
    // The lock may be gone with its folder.
    if (place === 'runtime' && !takeFileLock(lock))
      throw new Error('another daemon holds the lock');
    // Since we hold it, a socket that exists was left by a process that was killed.
    rmSync(path, { force: true });
    if (place === 'runtime') isOurSocket = true;
    return listenOnPath(path);
  };
  const bindInState = () => {
    if (stateSocket === undefined) return undefined;
    try {
      return bind('state');
    } catch (error) {
      log(`no second socket: ${(error as Error).message}`);
      return undefined;
    }
  };
  const listening = handedOver?.listening ?? {
    runtime: activated ?? bind('runtime'),
    state: bindInState(),
  };
  const keeper = new Keeper({
    // In each life of the daemon the same, and another one with another keeper.
    daemon: handedOver === undefined ? [...daemon, randomUUID()] : daemon,
    listening,
    sessions: handedOver?.sessions ?? [],
    standIn: handedOver?.standIn,
    bind,
    env: daemonEnvironment(process.env),
    log,
  });
  becomeSubreaper({ beforeReaping: (pid) => keeper.noteExit(pid) });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => keeper.end());
  const code = await keeper.run();
  keeper.held.hangUpAll();
  // systemd listens at its own for the next client.
  if (isOurSocket) removeSocket(socket);
  if (stateSocket !== undefined) removeSocket(stateSocket);
  return code;
}

/** False if another daemon is there. Throws if it is there instead of one that systemd starts. */
async function acquireLock(
  { lock, socket, stateSocket }: KeeperArgument,
  isActivated: boolean,
): Promise<boolean> {
  makePrivateFolders(dirname(lock));
  // At an activated socket nobody but we would answer.
  const first = isActivated ? [] : [socket];
  const second = stateSocket === undefined ? [] : [stateSocket];
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    const isFree = takeFileLock(lock);
    // The lock of a daemon whose runtime folder is gone went with it. And it is free for a moment when a
    // keeper was killed, and its daemon becomes the next one.
    const isOtherRunning = await isAnyListening([...first, ...second]);
    if (isOtherRunning && isActivated)
      throw new Error('another daemon runs, which systemd has not started; stop it first');
    if (isOtherRunning) return false;
    if (isFree) return true;
    if (performance.now() > deadline)
      throw new Error(`another daemon holds ${lock} and does not answer`);
    await delay(RETRY_MS);
  }
}

/** `inherited`: the lock that the daemon before us in this process has taken. */
async function lockSoon(lock: string, inherited: number | undefined): Promise<void> {
  if (inherited !== undefined) inheritFileLock(inherited);
  // Somebody who found it free holds it until he finds that we listen.
  while (!isLocked(lock)) await delay(RETRY_MS);
}

function isLocked(lock: string): boolean {
  try {
    return takeFileLock(lock);
  } catch {
    // Its folder is gone. It is taken when the socket is created again.
    return true;
  }
}

async function isAnyListening(paths: readonly string[]): Promise<boolean> {
  for (const path of paths) if (await isListening(path)) return true;
  return false;
}

async function isListening(path: string): Promise<boolean> {
  try {
    const client = withShortSocketPath(path, (short) => connect(short));
    try {
      await once(client, 'connect');
      return true;
    } finally {
      client.destroy();
    }
  } catch (error) {
    // Its backlog is full: somebody listens.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  }
}
