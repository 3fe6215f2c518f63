/**
 * The sandbox is in the terminal's foreground with its program, so a key such as Ctrl-C reaches both. It must
 * ignore what only the program is asked: env(1) starts it so, and resets that for the program inside.
 */
import { existsSync } from 'node:fs';
import { SandboxUnavailable } from '../errors.ts';

const ENV = '/usr/bin/env';

/**
 * Without SIGCHLD, by which it learns of the program's end, and without those of job control: who ignores
 * them is taken for a shell.
 */
const ignored = 'HUP,INT,QUIT,USR1,USR2,ALRM,TERM,VTALRM,PROF,XCPU,XFSZ,IO,PWR';

/** What stands before the sandbox, and before the program in it. */
export const signalCommands = (
  hasEnv = existsSync(ENV),
): { outside: readonly string[]; inside: readonly string[] } => {
  if (!hasEnv)
    throw new SandboxUnavailable(`there is no ${ENV}`, 'Install GNU coreutils 8.31 or newer');
  return {
    outside: [ENV, `--ignore-signal=${ignored}`],
    inside: [ENV, `--default-signal=${ignored}`],
  };
};
