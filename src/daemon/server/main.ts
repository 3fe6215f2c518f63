/**
 * The daemon's program, started by `start-daemon.ts`. Its only argument has the paths, because the
 * daemon's own environment might lead to others than the client's.
 */
import { TerminalError } from '../../errors.ts';
import { closeInheritedDescriptors } from '../../system/files/close-inherited.ts';
import { leaveMarkedSession } from '../../system/process/session-mark.ts';
import { becomeSubreaper } from '../../system/process/subreaper.ts';
import { serveDaemon } from './serve.ts';

process.title = 'repartee-daemon';
closeInheritedDescriptors();
becomeSubreaper();
leaveMarkedSession();
try {
  const { paths, idleMs } = JSON.parse(process.argv[2] ?? '');
  await serveDaemon(paths, idleMs === undefined ? {} : { idleMs });
} catch (error) {
  // This goes to the log, where the client that started us looks for the reason.
  console.error(error instanceof TerminalError ? `Error: ${error.message}` : error);
  process.exitCode = 1;
}
// Something may still keep this process alive, such as the terminal of a program that cannot be
// killed. The next daemon gets the lock only when this process has ended.
process.exit();
