/** A shell that marks its prompts and commands. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { leaseScripts, type ScriptFiles } from './scripts.ts';
import { shellQuote } from './typed.ts';

/** Shells that can be given marks. */
export type MarkedShell = 'bash' | 'zsh' | 'fish';

export interface ShellStart {
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
 * so whatever marks a command prints, they are not taken for the shell's own. `hasStarted` is to be
 * called when it has drawn a mark, or has ended.
 */
export const withMarks = (
  shell: MarkedShell,
  path: string,
  { clean, env }: { clean: boolean; env: ShellStart['env'] },
): ShellStart & { aid: string; hasStarted: () => void } => {
  const aid = randomBytes(8).toString('hex');
  const scripts = leaseScripts();
  const start = starts[shell](path, { clean, env, scripts });
  const told = { REPARTEE_SHELL: `${aid}:${clean ? 'clean' : 'files'}` };
  return {
    aid,
    command: start.command,
    env: { ...env, ...start.env, ...told },
    hasStarted: () => scripts.release(),
  };
};

interface StartRequest {
  clean: boolean;
  env: ShellStart['env'];
  scripts: ScriptFiles;
}

const starts: Record<MarkedShell, (path: string, wish: StartRequest) => ShellStart> = {
  bash(path, { clean, scripts: { bash } }) {
    // Given as an rcfile it would be read after /etc/bash.bashrc.
    return clean
      ? { command: [path, '--norc'], env: { PROMPT_COMMAND: `. ${shellQuote(bash)}` } }
      : { command: [path, '--rcfile', bash], env: {} };
  },
  zsh(path, { clean, env: { ZDOTDIR }, scripts: { zsh } }) {
    return {
      command: clean ? [path, '-d'] : [path],
      env: { ZDOTDIR: zsh, REPARTEE_ZDOTDIR: ZDOTDIR },
    };
  },
  fish(path, { clean, scripts: { fish } }) {
    const init = ['--init-command', `source ${shellQuote(fish)}`];
    return { command: [path, ...(clean ? ['--no-config'] : []), ...init], env: {} };
  },
};
