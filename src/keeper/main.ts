/** The keeper's program. Its only argument says which daemon to start, and where clients connect. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { closeInheritedDescriptors } from '../system/files/close-inherited.ts';
import { takeFileLock } from '../system/files/file-lock.ts';
import { hideProcess } from '../system/process/hide-process.ts';
import { becomeSubreaper } from '../system/process/subreaper.ts';
import { listenOnPath } from '../system/unix-listener.ts';
import { Keeper } from './keeper.ts';

/** A daemon that is stopping ends its sessions before the lock is free. */
const LOCK_TIMEOUT_MS = 15_000;
const RETRY_MS = 50;

interface KeeperArgument {
  daemon: string[];
  socket: string;
  lock: string;
}

process.title = 'repartee-keeper';
closeInheritedDescriptors();
hideProcess();
try {
  process.exitCode = await main(JSON.parse(process.argv[2] ?? ''));
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error);
  process.exitCode = 1;
}
process.exit();

async function main({ daemon, socket, lock }: KeeperArgument): Promise<number> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  while (!takeFileLock(lock)) {
    if (await isListening(socket)) return 0;
    if (performance.now() > deadline)
      throw new Error(`another daemon holds ${lock} and does not answer`);
    await delay(RETRY_MS);
  }
  const bind = () => {
    // The lock may be gone with its folder.
    if (!takeFileLock(lock)) throw new Error('another daemon holds the lock');
    // Since we hold it, a socket that exists was left by a process that was killed.
    rmSync(socket, { force: true });
    return listenOnPath(socket);
  };
  const log = (message: string) => console.error(`${new Date().toISOString()} keeper: ${message}`);
  const keeper = new Keeper({ daemon, listening: bind(), bind, log });
  becomeSubreaper((pid) => keeper.held.noteExit(pid));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => keeper.end());
  const code = await keeper.run();
  keeper.held.hangUpAll();
  rmSync(socket, { force: true });
  return code;
}

async function isListening(path: string): Promise<boolean> {
  const client = connect(path);
  try {
    await once(client, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    client.destroy();
  }
}
