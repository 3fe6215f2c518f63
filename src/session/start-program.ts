/** Starts the program of a session, on a terminal or on pipes, with its limits. */

import type { ShellStartCommand } from '../shell/start-with-marks.ts';
import { openPipes } from '../system/terminal/pipes.ts';
import { openPty, type PtyOptions } from '../system/terminal/pty.ts';
import type { Terminal } from '../system/terminal/terminal.ts';
import type { OnOutput } from '../system/terminal/terminal-reader.ts';
import { commandWithLimits } from './options/program-limits.ts';
import type { OpenRequest } from './options/requests.ts';

export const startProgram = (
  { tty, stdin, limits, cols, rows, cwd, umask }: OpenRequest,
  { command, env }: ShellStartCommand,
  onOutput: OnOutput,
  keep?: PtyOptions['keep'],
): Promise<Terminal> => {
  const [program = '', ...args] = commandWithLimits(command, limits);
  const common = { program, args, cwd, env, onOutput, ...(umask !== undefined && { umask }) };
  return tty
    ? openPty({ ...common, cols, rows, keep })
    : openPipes({ ...common, input: stdin ? 'pipe' : 'null' });
};
