/** Starts the program of a session, within its limits: on a terminal, or on pipes. */

import type { Start } from '../shell/marked.ts';
import { openPipes, type Pipes } from '../system/terminal/pipes.ts';
import { openPty, type Pty } from '../system/terminal/pty.ts';
import type { OnOutput } from '../system/terminal/reader.ts';
import { limited } from './options/program-limits.ts';
import type { OpenRequest } from './options/requests.ts';

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
