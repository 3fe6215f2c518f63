/**
 * Requests: options with all defaults filled in. They are made in the caller's process, from its options,
 * folder and environment, and carried out in the process that has the sessions.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { isAbsolute, resolve } from 'node:path';
import { CwdNotFound, UnknownHost, UnusableArgument } from '../../errors.ts';
import { cleanStartFlags, markedShellName, markedShells } from '../../shell/start-with-marks.ts';
import { SECRET_VARIABLE } from '../secrets/secret-sources.ts';
import { openFields, runFields } from './calls.ts';
import { boolean, number, object, oneOf, string, strings, type ValueOf } from './fields.ts';
import { ifDefined } from './if-defined.ts';
import { callDefaults, type OpenOptions, type RunOptions } from './options.ts';

// The host is found before, three make the command; the fields with a default are always filled in.
const {
  host: _openHost,
  command: _command,
  shell: _shell,
  clean: _clean,
  ...openedWith
} = openFields;
const { cwd, env, cols, rows, tty, stdin, timeoutMs, history, limits, ...withoutDefault } =
  openedWith;

/** What to open. */
export const openRequestFields = object(
  {
    command: strings,
    /** The program that the session is named after. */
    program: string,
    cwd,
    env,
    cols,
    rows,
    tty,
    stdin,
    timeoutMs,
    history,
    limits,
  },
  {
    ...withoutDefault,
    /** The command is a shell that can print marks. */
    marks: object({ shell: oneOf(markedShells), clean: boolean }, {}),
    /** The command is a shell with a command line, and should report its folder at the end. */
    tellsFolder: boolean,
    /** The caller's, if the sessions are in another process. */
    umask: number,
  },
);
export type OpenRequest = ValueOf<typeof openRequestFields>;

/** What our screen understands. The caller's own terminal does not matter. */
const TERM = 'xterm-256color';

/** What of the caller's process goes into its requests. */
export interface RequestOrigin {
  /** Throws if it has been removed. */
  folder(): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Of the user, for programs with these variables. */
  shell(env: Readonly<Record<string, string | undefined>>): string;
}

export const openRequest = (
  {
    host,
    command,
    shell,
    clean = false,
    cwd,
    env = {},
    cols = callDefaults.cols,
    rows = callDefaults.rows,
    tty = true,
    stdin = true,
    timeoutMs = callDefaults.openMs,
    history = {},
    limits = {},
    ...rest
  }: OpenOptions,
  origin: RequestOrigin = thisProcess,
): OpenRequest => {
  // Who knows hosts has asked the one that is meant.
  if (host !== undefined) throw new UnknownHost(host, []);
  const programEnv = withoutSecrets({ ...origin.env, TERM, COLORTERM: 'truecolor', ...env });
  const shellPath = shell ?? origin.shell(programEnv);
  const isShell = command === undefined || command === '';
  const marked = isShell && tty ? markedShellName(shellPath) : undefined;
  return {
    ...rest,
    command: commandOf(command, shellPath, clean),
    ...(marked && { marks: { shell: marked, clean } }),
    program: programOf(command, shellPath),
    // Absolute, since a daemon runs in another folder.
    cwd: cwd === '' ? cwd : absoluteFolder(cwd, origin),
    env: programEnv,
    cols,
    rows,
    tty,
    stdin,
    timeoutMs,
    history,
    limits,
  };
};

const absoluteFolder = (cwd = '', origin: RequestOrigin): string =>
  isAbsolute(cwd) ? resolve(cwd) : resolve(origin.folder(), cwd);

const callerFolder = (): string => {
  try {
    return process.cwd();
  } catch {
    throw new CwdNotFound(process.env.PWD ?? '.');
  }
};

const thisProcess: RequestOrigin = {
  folder: callerFolder,
  // Looked up for each request: it can change.
  get env() {
    return process.env;
  },
  shell: (env) => userShell(env),
};

// A new shell's folder and variables are in its own request.
const {
  host: _host,
  cwd: _cwd,
  env: _env,
  sandbox: _sandbox,
  timeoutMs: runMs,
  maxTokens,
  ...ranWith
} = runFields;

/** One shell command to run. Without a session, `open` starts a new shell with it. */
export const runRequestFields = object(
  { command: string, timeoutMs: runMs, maxTokens },
  { ...ranWith, open: openRequestFields },
);
export type RunRequest = ValueOf<typeof runRequestFields>;

export const runRequest = (
  command: string,
  {
    host,
    session,
    cwd,
    env,
    sandbox,
    timeoutMs = callDefaults.runMs,
    maxTokens = callDefaults.maxTokens,
    ...rest
  }: RunOptions,
  origin?: RequestOrigin,
): RunRequest => {
  if (host !== undefined) throw new UnknownHost(host, []);
  if (command.trim() === '') throw new UnusableArgument('command', 'it is empty');
  const common = { ...rest, command, timeoutMs, maxTokens };
  if (session === undefined) {
    const options = {
      command,
      ...ifDefined('cwd', cwd),
      ...ifDefined('env', env),
      ...ifDefined('sandbox', sandbox),
    };
    const open = openRequest(options, origin);
    return { ...common, open: { ...open, tellsFolder: true } };
  }
  if (cwd !== undefined)
    throw new UnusableArgument('cwd', 'a session has a folder of its own; cd there in the command');
  if (env !== undefined)
    throw new UnusableArgument(
      'env',
      'a session has variables of its own; set them in the command',
    );
  if (sandbox !== undefined)
    throw new UnusableArgument('sandbox', 'a session has its own since it was opened');
  refuseControlCharacters(command);
  return { ...common, session };
};

/** Programs must not see the caller's secrets. */
const withoutSecrets = (env: Readonly<Record<string, string | undefined>>) =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !SECRET_VARIABLE.test(name)));

export const userShell = (env: Readonly<Record<string, string | undefined>>): string =>
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
