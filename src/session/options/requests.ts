/**
 * What was asked for, with nothing left to guess: made where the caller is, of its options, its folder
 * and its environment, and understood by whichever process has the sessions.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { CwdNotFound, UnusableArgument } from '../../errors.ts';
import { cleanFlags, type MarkedShell, markedShell } from '../../shell/marked.ts';
import { SECRET_VARIABLE } from '../secrets/secret-sources.ts';
import {
  defaults,
  type HistoryLimits,
  type OpenOptions,
  type ProgramLimits,
  type RunOptions,
} from './options.ts';

/** What to open, with nothing left to guess. */
export interface OpenRequest {
  command: readonly string[];
  /** The command is a shell, to be given marks. */
  marks?: { shell: MarkedShell; clean: boolean };
  /** The command is a shell with a command line: it tells its folder when that is done. */
  tellsFolder?: boolean;
  /** The program's own name, after which the session is called. */
  program: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The caller's, where that is another process than the one that has the sessions. */
  umask?: number;
  name: string | undefined;
  cols: number;
  rows: number;
  tty: boolean;
  stdin: boolean;
  timeoutMs: number;
  history: HistoryLimits;
  limits: ProgramLimits;
  record: boolean | undefined;
}

/** What a screen of ours understands; a caller's own terminal may be anything. */
const TERM = 'xterm-256color';

export const openRequest = (
  {
    command,
    cwd = ownFolder(),
    env = {},
    name,
    cols = defaults.cols,
    rows = defaults.rows,
    shell,
    clean = false,
    tty = true,
    stdin = true,
    timeoutMs = defaults.openMs,
    history = {},
    limits = {},
    record,
  }: OpenOptions,
  callerEnv: Readonly<Record<string, string | undefined>> = process.env,
): OpenRequest => {
  const whole = withoutSecrets({ ...callerEnv, TERM, COLORTERM: 'truecolor', ...env });
  const ownShell = shell ?? userShell(whole);
  const isShell = command === undefined || command === '';
  const known = isShell && tty ? markedShell(ownShell) : undefined;
  return {
    command: commandOf(command, ownShell, clean),
    ...(known && { marks: { shell: known, clean } }),
    program: programOf(command, ownShell),
    // A daemon is in another folder.
    cwd: cwd === '' ? cwd : resolve(cwd),
    env: whole,
    name,
    cols,
    rows,
    tty,
    stdin,
    timeoutMs,
    history,
    limits,
    record,
  };
};

/** The caller's, which somebody may have removed. */
const ownFolder = (): string => {
  try {
    return process.cwd();
  } catch {
    throw new CwdNotFound(process.env.PWD ?? '.');
  }
};

/** One shell command to run, with nothing left to guess. */
export interface RunRequest {
  command: string;
  /** Whose shell is to run it; absent for a fresh one. */
  session?: string;
  /** How to start the fresh shell, which is given the command at once. */
  open?: OpenRequest;
  timeoutMs: number;
  maxTokens: number;
}

export const runRequest = (
  command: string,
  { session, cwd, env, timeoutMs = defaults.runMs, maxTokens = defaults.maxTokens }: RunOptions,
): RunRequest => {
  if (command.trim() === '') throw new UnusableArgument('command', 'it is empty');
  const common = { command, timeoutMs, maxTokens };
  if (session === undefined) {
    const place = { ...(cwd !== undefined && { cwd }), ...(env !== undefined && { env }) };
    return { ...common, open: { ...openRequest({ command, ...place }), tellsFolder: true } };
  }
  if (cwd !== undefined)
    throw new UnusableArgument('cwd', 'a session has a folder of its own; cd there in the command');
  if (env !== undefined)
    throw new UnusableArgument(
      'env',
      'a session has variables of its own; set them in the command',
    );
  refuseKeys(command);
  return { ...common, session };
};

/** A secret of the caller is not for every program to see. */
const withoutSecrets = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_VARIABLE.test(name)));

const userShell = (env: Readonly<Record<string, string | undefined>>): string =>
  [env.SHELL, loginShell(), '/bin/bash'].find(isShell) ?? '/bin/sh';

/** A user of a service has /usr/sbin/nologin or /bin/false, and no use for a shell but ours. */
const isShell = (path: string | null | undefined): path is string =>
  !!path && !/\/(nologin|false)$/.test(path) && existsSync(path);

const loginShell = (): string | null | undefined => {
  try {
    return userInfo().shell;
  } catch {
    // In a container the user may be a number that no list has a name for.
    return undefined;
  }
};

const commandOf = (
  command: OpenOptions['command'],
  shell: string,
  clean: boolean,
): readonly string[] => {
  const flags = clean ? cleanFlags(shell) : [];
  if (command === undefined || command === '') return [shell, ...flags];
  return typeof command === 'string' ? [shell, ...flags, '-c', command] : command;
};

/** What a session is called after: `A=1 exec python3 -q` is python3, and so is `cd lib && python3`. */
const programOf = (command: OpenOptions['command'], shell: string): string => {
  if (command === undefined || command === '') return shell;
  if (typeof command !== 'string') return command.find(isProgram) ?? command[0] ?? '';
  const rest = command.replace(BEFORE_PROGRAM, '');
  return rest.split(/[\s;&|<>()]+/).find((word) => word !== '') ?? shell;
};

/** They become the program that is meant, or run it. */
const RUNNERS = 'exec|command|env|nohup|time';

const isProgram = (word: string) => !new RegExp(`^(?:${RUNNERS}|-.*|\\w+=.*)$`, 's').test(word);

const QUOTED = `'[^']*'|"[^"]*"`;
/** Such words with their options, assignments, and a change of folder. */
const BEFORE_PROGRAM = new RegExp(
  `^(?:\\s*(?:${[
    `(?:${RUNNERS})(?:\\s+-\\S+)*(?=\\s)`,
    `\\w+=(?:${QUOTED}|[^\\s'"])*(?=\\s)`,
    `cd\\s+(?:${QUOTED}|[^\\s;&|'"])+\\s*(?:&&|;)`,
  ].join('|')}))*\\s*`,
);

/** What is typed to a shell is not all taken for text. */
const refuseKeys = (command: string): void => {
  const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.exec(command)?.[0].charCodeAt(0);
  if (control === undefined) return;
  const name = `U+${control.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new UnusableArgument(
    'command',
    `it has the control character ${name}, which is a key to a shell; write it as in $'\\x1b'`,
  );
};
