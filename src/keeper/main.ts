/** The keeper's program. Its only argument says which daemon to start, and where clients connect. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { closeInheritedDescriptors } from '../system/files/close-inherited.ts';
import { inheritFileLock, takeFileLock } from '../system/files/file-lock.ts';
import { hideProcess } from '../system/process/hide-process.ts';
import { becomeSubreaper } from '../system/process/subreaper.ts';
import { listenOnPath } from '../system/unix-listener.ts';
import { descriptorsIn, type HandedOver } from './handed-over.ts';
import { Keeper } from './keeper.ts';

/** A daemon that is stopping ends its sessions before the lock is free. */
const LOCK_TIMEOUT_MS = 15_000;
const RETRY_MS = 50;

interface KeeperArgument {
  daemon: string[];
  socket: string;
  lock: string;
  /** By a daemon whose keeper was killed, and which has executed us in its place. */
  handedOver?: HandedOver;
}

process.title = 'repartee-keeper';
hideProcess();
try {
  const argument: KeeperArgument = JSON.parse(process.argv[2] ?? '');
  const { handedOver } = argument;
  closeInheritedDescriptors(handedOver && descriptorsIn(handedOver));
  process.exitCode = await main(argument);
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error);
  process.exitCode = 1;
}
process.exit();

async function main({ daemon, socket, lock, handedOver }: KeeperArgument): Promise<number> {
  const log = (message: string) => console.error(`${new Date().toISOString()} keeper: ${message}`);
  if (handedOver !== undefined) {
    log('goes on in the place of one that has died');
    void lockSoon(lock, handedOver.lock);
  } else if (!(await acquireLock(lock, socket))) return 0;
  const bind = () => {
    // The lock may be gone with its folder.
    if (!takeFileLock(lock)) throw new Error('another daemon holds the lock');
    // Since we hold it, a socket that exists was left by a process that was killed.
    rmSync(socket, { force: true });
    return listenOnPath(socket);
  };
  const { listening = bind(), sessions = [] } = handedOver ?? {};
  const keeper = new Keeper({ daemon, listening, sessions, bind, log });
  becomeSubreaper({ beforeReaping: (pid) => keeper.held.noteExit(pid) });
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => keeper.end());
  const code = await keeper.run();
  rmSync(socket, { force: true });
  return code;
}

/** False if another daemon is there. */
async function acquireLock(lock: string, socket: string): Promise<boolean> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  while (!takeFileLock(lock)) {
    if (await isListening(socket)) return false;
    if (performance.now() > deadline)
      throw new Error(`another daemon holds ${lock} and does not answer`);
    await delay(RETRY_MS);
  }
  // The lock is free for a moment when a keeper was killed, and its daemon becomes the next one.
  return !(await isListening(socket));
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

async function isListening(path: string): Promise<boolean> {
  const client = connect(path);
  try {
    await once(client, 'connect');
    return true;
  } catch (error) {
    // More clients wait there than it takes at once.
    return (error as NodeJS.ErrnoException).code === 'EAGAIN';
  } finally {
    client.destroy();
  }
}
