/** The life of a daemon's process: the lock, the socket, the signals, the end. */
import { setTimeout as delay } from 'node:timers/promises';
import { takeLock } from '../../system/files/file-lock.ts';
import { isDaemonListening } from '../client/daemon-connection.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../protocol/path-ownership.ts';
import { Daemon, type DaemonOptions } from './daemon.ts';

/** A daemon that is being stopped first ends its sessions. */
const OTHER_ENDS_MS = 15_000;
const ASK_AGAIN_MS = 50;

/** Returns when the daemon has ended, or at once where another one serves. */
export const serveDaemon = async (
  paths: DaemonPaths,
  options: DaemonOptions = {},
): Promise<void> => {
  ensurePrivateFolder(paths.runtimeFolder, 'runtime');
  ensurePrivateFolder(paths.stateFolder, 'state');
  if (!(await lockOrYield(paths))) return;
  const daemon = new Daemon(paths, options);
  // Logged, and then the end as ever: what is left is a list of lost sessions, not a daemon in doubt.
  process.on('uncaughtExceptionMonitor', (error) => daemon.log.write(`crashes: ${error.stack}`));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      daemon.log.write(`ends: ${signal}`);
      void daemon.stop();
    });
  }
  await daemon.listen();
  await daemon.ended;
};

/** False where another daemon has the lock and answers. */
const lockOrYield = async (paths: DaemonPaths): Promise<boolean> => {
  const deadline = performance.now() + OTHER_ENDS_MS;
  while (!takeLock(paths.lock)) {
    if (await isDaemonListening(paths)) return false;
    if (performance.now() > deadline)
      throw new Error(`another daemon holds ${paths.lock} and does not answer`);
    await delay(ASK_AGAIN_MS);
  }
  return true;
};
