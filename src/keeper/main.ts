/** The keeper's program. Its only argument says which daemon to start, and where clients connect. */
import { rmSync } from 'node:fs';
import { closeInheritedDescriptors } from '../system/files/close-inherited.ts';
import { takeFileLock } from '../system/files/file-lock.ts';
import { hideProcess } from '../system/process/hide-process.ts';
import { becomeSubreaper } from '../system/process/subreaper.ts';
import { listenOnPath } from '../system/unix-listener.ts';
import { Keeper } from './keeper.ts';

process.title = 'repartee-keeper';
closeInheritedDescriptors();
hideProcess();
try {
  const { daemon, socket, lock } = JSON.parse(process.argv[2] ?? '');
  process.exitCode = takeFileLock(lock) ? await keep(daemon, socket) : 0;
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error);
  process.exitCode = 1;
}
process.exit();

async function keep(daemon: string[], socket: string): Promise<number> {
  // We hold the lock, so a socket that exists was left by a keeper that was killed.
  rmSync(socket, { force: true });
  const log = (message: string) => console.error(`${new Date().toISOString()} keeper: ${message}`);
  const keeper = new Keeper({ daemon, listening: listenOnPath(socket), log });
  becomeSubreaper((pid) => keeper.held.noteExit(pid));
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => keeper.end());
  const code = await keeper.run();
  rmSync(socket, { force: true });
  return code;
}
