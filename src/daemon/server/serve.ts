/** Runs a daemon in this process: takes the lock, listens, and ends at a signal. */
import { setTimeout as delay } from 'node:timers/promises';
import { takeFileLock } from '../../system/files/file-lock.ts';
import { isDaemonListening, isListeningInState } from '../client/find-daemon.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../protocol/path-ownership.ts';
import { Daemon, type DaemonOptions } from './daemon.ts';

/** A daemon that is stopping ends its sessions before it lets go of the lock. */
const LOCK_TIMEOUT_MS = 15_000;
const RETRY_MS = 50;

/** Returns when the daemon has ended, or at once if another one is running. */
export const serveDaemon = async (
  paths: DaemonPaths,
  options: DaemonOptions = {},
): Promise<void> => {
  ensurePrivateFolder(paths.stateFolder, 'state');
  // A keeper holds the lock. The folder may be gone by now, and comes back at the next login.
  if (options.keeper === undefined) {
    ensurePrivateFolder(paths.runtimeFolder, 'runtime');
    if (!(await acquireLock(paths))) return;
  }
  const daemon = new Daemon(paths, options);
  // The error is logged, then the process ends as usual. A journal of lost sessions is better than a
  // daemon in an unknown state.
  process.on('uncaughtExceptionMonitor', (error) => daemon.log.write(`crashes: ${error.stack}`));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      void daemon.stop(signal);
    });
  }
  await daemon.listen();
  await daemon.ended;
};

/** False if another daemon is listening. */
const acquireLock = async (paths: DaemonPaths): Promise<boolean> => {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  while (!takeFileLock(paths.lock)) {
    if (await isDaemonListening(paths)) return false;
    if (performance.now() > deadline)
      throw new Error(`another daemon holds ${paths.lock} and does not answer`);
    await delay(RETRY_MS);
  }
  // The lock of a daemon whose runtime folder is gone went with it.
  return !(await isListeningInState(paths));
};
