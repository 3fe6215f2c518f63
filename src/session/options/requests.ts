/**
 * Requests: options with all defaults filled in. They are made in the caller's process, from its options,
 * folder and environment, and carried out in the process that has the sessions.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { resolve } from 'node:path';
import { CwdNotFound, UnusableArgument } from '../../errors.ts';
import {
  cleanStartFlags,
  type MarkedShell,
  markedShellName,
} from '../../shell/start-with-marks.ts';
import { SECRET_VARIABLE } from '../secrets/secret-sources.ts';
import { ifDefined } from './if-defined.ts';
import {
  callDefaults,
  type HistoryLimits,
  type OpenOptions,
  type ProgramLimits,
  type RunOptions,
} from './options.ts';

/** What to open. */
export interface OpenRequest {
  command: readonly string[];
  /** The command is a shell that can print marks. */
  marks?: { shell: MarkedShell; clean: boolean };
  /** The command is a shell with a command line, and should report its folder at the end. */
  tellsFolder?: boolean;
  /** The program that the session is named after. */
  program: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  /** The caller's, if the sessions are in another process. */
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

/** What our screen understands. The caller's own terminal does not matter. */
const TERM = 'xterm-256color';

export const openRequest = (
  {
    command,
    cwd = callerFolder(),
    env = {},
    name,
    cols = callDefaults.cols,
    rows = callDefaults.rows,
    shell,
    clean = false,
    tty = true,
    stdin = true,
    timeoutMs = callDefaults.openMs,
    history = {},
    limits = {},
    record,
  }: OpenOptions,
  callerEnv: Readonly<Record<string, string | undefined>> = process.env,
): OpenRequest => {
  const programEnv = withoutSecrets({ ...callerEnv, TERM, COLORTERM: 'truecolor', ...env });
  const shellPath = shell ?? userShell(programEnv);
  const isShell = command === undefined || command === '';
  const marked = isShell && tty ? markedShellName(shellPath) : undefined;
  return {
    command: commandOf(command, shellPath, clean),
    ...(marked && { marks: { shell: marked, clean } }),
    program: programOf(command, shellPath),
    // Absolute, since a daemon runs in another folder.
    cwd: cwd === '' ? cwd : resolve(cwd),
    env: programEnv,
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

/** Throws if the caller's folder has been removed. */
const callerFolder = (): string => {
  try {
    return process.cwd();
  } catch {
    throw new CwdNotFound(process.env.PWD ?? '.');
  }
};

/** One shell command to run. */
export interface RunRequest {
  command: string;
  /** The session whose shell runs it. Absent for a new shell. */
  session?: string;
  /** How to start the new shell, with the command as its argument. */
  open?: OpenRequest;
  timeoutMs: number;
  maxTokens: number;
}

export const runRequest = (
  command: string,
  {
    session,
    cwd,
    env,
    timeoutMs = callDefaults.runMs,
    maxTokens = callDefaults.maxTokens,
  }: RunOptions,
): RunRequest => {
  if (command.trim() === '') throw new UnusableArgument('command', 'it is empty');
  const common = { command, timeoutMs, maxTokens };
  if (session === undefined) {
    const open = openRequest({ command, ...ifDefined('cwd', cwd), ...ifDefined('env', env) });
    return { ...common, open: { ...open, tellsFolder: true } };
  }
  if (cwd !== undefined)
    throw new UnusableArgument('cwd', 'a session has a folder of its own; cd there in the command');
  if (env !== undefined)
    throw new UnusableArgument(
      'env',
      'a session has variables of its own; set them in the command',
    );
  refuseControlCharacters(command);
  return { ...common, session };
};

/** Programs must not see the caller's secrets. */
const withoutSecrets = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_VARIABLE.test(name)));

const userShell = (env: Readonly<Record<string, string | undefined>>): string =>
  [env.SHELL, loginShell(), '/bin/bash'].find(isShell) ?? '/bin/sh';

/** Service users have /usr/sbin/nologin or /bin/false, which is no shell. */
const isShell = (path: string | null | undefined): path is string =>
  !!path && !/\/(nologin|false)$/.test(path) && existsSync(path);

const loginShell = (): string | null | undefined => {
  try {
    return userInfo().shell;
  } catch {
    // In a container the user may be a number without an entry in /etc/passwd.
    return undefined;
  }
};

const commandOf = (
  command: OpenOptions['command'],
  shell: string,
  clean: boolean,
): readonly string[] => {
  const flags = clean ? cleanStartFlags(shell) : [];
  if (command === undefined || command === '') return [shell, ...flags];
  return typeof command === 'string' ? [shell, ...flags, '-c', command] : command;
};

/** What a session is named after: python3 for `A=1 exec python3 -q`, and for `cd lib && python3`. */
const programOf = (command: OpenOptions['command'], shell: string): string => {
  if (command === undefined || command === '') return shell;
  if (typeof command !== 'string') return command.find(isProgram) ?? command[0] ?? '';
  const rest = command.replace(BEFORE_PROGRAM, '');
  return rest.split(/[\s;&|<>()]+/).find((word) => word !== '') ?? shell;
};

/** Words before a program that become it or run it. */
const RUNNERS = 'exec|command|env|nohup|time';

const isProgram = (word: string) => !new RegExp(`^(?:${RUNNERS}|-.*|\\w+=.*)$`, 's').test(word);

const QUOTED = `'[^']*'|"[^"]*"`;
/** Matches runners with their options, assignments, and `cd folder &&`. */
const BEFORE_PROGRAM = new RegExp(
  `^(?:\\s*(?:${[
    `(?:${RUNNERS})(?:\\s+-\\S+)*(?=\\s)`,
    `\\w+=(?:${QUOTED}|[^\\s'"])*(?=\\s)`,
    `cd\\s+(?:${QUOTED}|[^\\s;&|'"])+\\s*(?:&&|;)`,
  ].join('|')}))*\\s*`,
);

/** Typed to a shell, a control character is a key, not text. */
const refuseControlCharacters = (command: string): void => {
  const control = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/.exec(command)?.[0].charCodeAt(0);
  if (control === undefined) return;
  const name = `U+${control.toString(16).toUpperCase().padStart(4, '0')}`;
  throw new UnusableArgument(
    'command',
    `it has the control character ${name}, which is a key to a shell; write it as in $'\\x1b'`,
  );
};
