/** A shell that marks its prompts and commands. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { scripts } from './scripts.ts';
import { quoted } from './typed.ts';

/** Shells that can be given marks. */
export type MarkedShell = 'bash' | 'zsh' | 'fish';

export interface Start {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
}

export const markedShell = (path: string): MarkedShell | undefined => {
  const name = basename(path);
  return name === 'bash' || name === 'zsh' || name === 'fish' ? name : undefined;
};

/** What makes a shell read none of the user's files, where it has such a flag. */
export const cleanFlags = (path: string): readonly string[] =>
  ({ bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] })[basename(path)] ?? [];

/**
 * How to start it, and by which `aid` its marks are known. No child of the shell gets to know that,
 * so whatever marks a command prints, they are not taken for the shell's own.
 */
export const withMarks = (
  shell: MarkedShell,
  path: string,
  { clean, env }: { clean: boolean; env: Start['env'] },
): Start & { aid: string } => {
  const aid = randomBytes(8).toString('hex');
  const start = starts[shell](path, clean, env);
  const told = { REPARTEE_SHELL: `${aid}:${clean ? 'clean' : 'files'}` };
  return { aid, command: start.command, env: { ...env, ...start.env, ...told } };
};

const starts: Record<MarkedShell, (path: string, clean: boolean, env: Start['env']) => Start> = {
  bash(path, clean) {
    const { bash } = scripts();
    // Given as an rcfile it would be read after /etc/bash.bashrc.
    return clean
      ? { command: [path, '--norc'], env: { PROMPT_COMMAND: `. ${quoted(bash)}` } }
      : { command: [path, '--rcfile', bash], env: {} };
  },
  zsh(path, clean, { ZDOTDIR }) {
    const env = { ZDOTDIR: scripts().zsh, REPARTEE_ZDOTDIR: ZDOTDIR };
    return { command: clean ? [path, '-d'] : [path], env };
  },
  fish(path, clean) {
    const init = ['--init-command', `source ${quoted(scripts().fish)}`];
    return { command: [path, ...(clean ? ['--no-config'] : []), ...init], env: {} };
  },
};
