/** Takes over the terminal or the pipes of a program that another process has started. */
import { isatty } from 'node:tty';
import type { AdoptedProgram, AdoptionOptions } from './adopted-program.ts';
import { adoptPipes } from './pipes.ts';
import { adoptPty } from './pty.ts';
import type { Terminal } from './terminal.ts';
import type { TerminalEnds } from './terminal-keeping.ts';

export const adoptTerminal = ({
  main,
  second,
  ...program
}: TerminalEnds & AdoptedProgram & AdoptionOptions): Terminal =>
  isatty(main)
    ? adoptPty({ master: main, ...(second !== undefined && { slave: second }), ...program })
    : adoptPipes({ output: main, ...(second !== undefined && { input: second }), ...program });
