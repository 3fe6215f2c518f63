/**
 * The daemon's program, started by `start-daemon.ts`. Its argument has the paths, because the daemon's own
 * environment might lead to others than the client's. A keeper adds the id by which clients know us.
 */
import { TerminalError } from '../../errors.ts';
import { KEEPER_DESCRIPTORS } from '../../keeper/keeper.ts';
import { KeeperLink } from '../../keeper/keeper-link.ts';
import { closeInheritedDescriptors } from '../../system/files/close-inherited.ts';
import { giveFreeMemoryBack } from '../../system/free-memory.ts';
import { hideProcess } from '../../system/process/hide-process.ts';
import { addKeeperProcess } from '../../system/process/own-processes.ts';
import { leaveMarkedSession } from '../../system/process/session-mark.ts';
import { becomeSubreaper } from '../../system/process/subreaper.ts';
import type { DaemonOptions } from './daemon.ts';
import { serveDaemon } from './serve.ts';

process.title = 'repartee-daemon';
try {
  const [, , argument = '', keptAs] = process.argv;
  const { paths, idleMs } = JSON.parse(argument);
  closeInheritedDescriptors(keptAs === undefined ? [] : Object.values(KEEPER_DESCRIPTORS));
  becomeSubreaper();
  giveFreeMemoryBack();
  leaveMarkedSession();
  await serveDaemon(paths, {
    ...(idleMs !== undefined && { idleMs }),
    ...(keptAs !== undefined && { keeper: joinKeeper(keptAs) }),
  });
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error instanceof TerminalError ? `Error: ${error.message}` : error);
  process.exitCode = 1;
}
// Something may still keep this process alive, such as the terminal of a program that cannot be
// killed. The next daemon gets the lock only when this process has ended.
process.exit();

function joinKeeper(id: string): NonNullable<DaemonOptions['keeper']> {
  // What it holds for the sessions has secrets in it.
  hideProcess();
  addKeeperProcess(process.ppid);
  return { link: new KeeperLink(), id };
}
