/**
 * The daemon's own program, started by `start.ts`. Its one argument says where everything lies: what
 * was asked for is found there also when the environment would by now name another place.
 */
import { TerminalError } from '../../errors.ts';
import { closeInherited } from '../../system/files/close-inherited.ts';
import { serveDaemon } from './serve.ts';

process.title = 'repartee-daemon';
closeInherited();
try {
  const { paths, idleMs } = JSON.parse(process.argv[2] ?? '');
  await serveDaemon(paths, idleMs === undefined ? {} : { idleMs });
} catch (error) {
  // Into the log, where whoever started it looks for the reason.
  console.error(error instanceof TerminalError ? `Error: ${error.message}` : error);
  process.exitCode = 1;
}
// Whatever is still alive in here, such as the terminal of a program that cannot be killed: the next
// daemon gets the lock only when we are gone.
process.exit();
