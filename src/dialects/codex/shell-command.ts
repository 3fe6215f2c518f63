/** Which shell runs a command, and with which arguments. */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { basename } from 'node:path';

const FOLDERS = ['/bin', '/usr/bin', '/usr/local/bin'];

const posix = (login: boolean, command: string) => [login ? '-lc' : '-c', command];
const powershell = (login: boolean, command: string) => [
  ...(login ? [] : ['-NoProfile']),
  ...['-Command', command],
];

const shells: Readonly<Record<string, (login: boolean, command: string) => string[]>> = {
  bash: posix,
  zsh: posix,
  sh: posix,
  pwsh: powershell,
  powershell,
  cmd: (_login, command) => ['/c', command],
};

/** The program and its arguments. */
export const codexShellCommand = (
  command: string,
  { shell, login }: { shell: string | undefined; login: boolean },
): string[] => {
  const path = shell === undefined ? loginShell() : namedShell(shell);
  return [path, ...(shells[basename(path)] ?? posix)(login, command)];
};

const loginShell = (): string => {
  const { shell } = userInfo();
  if (shell && Object.hasOwn(shells, basename(shell)) && existsSync(shell)) return shell;
  return find('bash') ?? find('zsh') ?? '/bin/sh';
};

const namedShell = (shell: string): string => {
  const name = basename(shell);
  if (!Object.hasOwn(shells, name)) return '/bin/sh';
  if (shell.includes('/') && existsSync(shell)) return shell;
  return find(name) ?? '/bin/sh';
};

const find = (name: string): string | undefined =>
  [...FOLDERS, ...(process.env.PATH ?? '').split(':').filter((folder) => folder.startsWith('/'))]
    .map((folder) => `${folder}/${name}`)
    .find((path) => existsSync(path));

/** The command as a person could type it into a shell. */
export const quoteShellWords = (words: readonly string[]): string =>
  words
    .map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`))
    .join(' ');
