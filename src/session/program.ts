/** Starts the program of a session, within its limits: on a terminal, or on pipes. */
import { openPipes, type Pipes } from '../pty/pipes.ts';
import { openPty, type Pty } from '../pty/pty.ts';
import type { OnOutput } from '../pty/reader.ts';
import type { Start } from '../shell/marked.ts';
import { limited } from './limits.ts';
import type { OpenRequest } from './requests.ts';

export const startProgram = (
  { tty, stdin, limits, cols, rows, cwd, umask }: OpenRequest,
  { command, env }: Start,
  onOutput: OnOutput,
): Promise<Pty | Pipes> => {
  const [program = '', ...args] = limited(command, limits);
  const common = { program, args, cwd, env, onOutput, ...(umask !== undefined && { umask }) };
  return tty
    ? openPty({ ...common, cols, rows })
    : openPipes({ ...common, input: stdin ? 'pipe' : 'null' });
};
