/**
 * The program inside leads a process session of its own, which has the terminal. So it is as without a
 * sandbox: it has a process group that it can name, and a key such as Ctrl-C reaches it alone, not bubblewrap.
 */
import { existsSync } from 'node:fs';
import { SandboxUnavailable } from '../errors.ts';

/** Not by the PATH of a program. */
const SETSID = '/usr/bin/setsid';

/** What stands before the program inside. setsid(1) becomes the program. */
export const leadingCommand = (tty: boolean, hasSetsid = existsSync(SETSID)): readonly string[] => {
  if (!hasSetsid) throw new SandboxUnavailable(`there is no ${SETSID}`, 'Install util-linux');
  return tty ? [SETSID, '--ctty'] : [SETSID];
};
