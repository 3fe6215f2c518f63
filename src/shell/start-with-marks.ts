/** Starts bash, zsh or fish so that it prints marks (OSC 133) at its prompts and commands. */
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { leaseShellScripts, type ShellScriptFiles } from './shell-scripts.ts';
import { shellQuote } from './typed-marks.ts';

/** The shells we have a script for. */
export const markedShells = ['bash', 'zsh', 'fish'] as const;
export type MarkedShell = (typeof markedShells)[number];

export interface ShellStartCommand {
  command: readonly string[];
  env: Readonly<Record<string, string | undefined>>;
  /** What it reads at its start, and what it changes then. */
  files?: { read: readonly string[]; write: readonly string[] };
}

export const markedShellName = (path: string): MarkedShell | undefined => {
  const name = basename(path);
  return markedShells.find((shell) => shell === name);
};

/** Flags that keep a shell from reading the user's files. Empty for a shell without such a flag. */
export const cleanStartFlags = (path: string): readonly string[] =>
  ({ bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] })[basename(path)] ?? [];

/**
 * The command and environment to start the shell with, and the `aid` in its marks. Children of the
 * shell do not know the `aid`, so a mark that a command prints is not mistaken for the shell's own.
 * Call `onStarted` when the shell has printed a mark or has exited.
 */
export const startWithMarks = (
  shell: MarkedShell,
  path: string,
  { clean, env }: { clean: boolean; env: ShellStartCommand['env'] },
): ShellStartCommand & { aid: string; onStarted: () => void } => {
  const aid = randomBytes(8).toString('hex');
  const scripts = leaseShellScripts(aid);
  const start = startShell[shell](path, { clean, env, scripts });
  const markEnv = { REPARTEE_SHELL: `${clean ? 'clean' : 'files'}:${scripts.key}` };
  return {
    aid,
    command: start.command,
    env: { ...env, ...start.env, ...markEnv },
    files: { read: [scripts[shell]], write: [scripts.key] },
    onStarted: () => scripts.release(),
  };
};

interface StartRequest {
  clean: boolean;
  env: ShellStartCommand['env'];
  scripts: ShellScriptFiles;
}

const startShell: Record<MarkedShell, (path: string, request: StartRequest) => ShellStartCommand> =
  {
    bash(path, { clean, scripts: { bash } }) {
      // With --rcfile, bash would read /etc/bash.bashrc first.
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
      const init = ['--init-command', `builtin source ${shellQuote(fish)}`];
      return { command: [path, ...(clean ? ['--no-config'] : []), ...init], env: {} };
    },
  };
