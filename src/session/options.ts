/**
 * What a caller may ask of a session, and what it gets where it does not say. Only what a part works
 * with by itself is written down there: how much a history keeps, how long a closing takes.
 *
 * Defaults are filled in on the caller's side of a socket: `cwd` and `env` are the caller's, and a
 * daemon has others of its own.
 */
import { existsSync } from 'node:fs';
import { userInfo } from 'node:os';
import { UnusableArgument } from '../errors.ts';
import { cleanFlags, type MarkedShell, markedShell } from '../shell/marked.ts';
import type { RecordingOptions } from './recording.ts';
import { SECRET_VARIABLE } from './secret-sources.ts';
import { noSecrets, type Secret, type SecretSource } from './secrets.ts';

export interface OpenOptions {
  /** A command line for the user's shell, or a program and its arguments. @default the user's shell */
  command?: string | readonly string[];
  /** @default the caller's */
  cwd?: string;
  /** Added to the caller's environment; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default after its program: python3, python3-2 */
  name?: string;
  /** @default 120 */
  cols?: number;
  /** @default 40 */
  rows?: number;
  /** The shell of command lines, and the one opened without a command. @default the user's */
  shell?: string;
  /** Start a shell without the user's own files. @default false */
  clean?: boolean;
  /** Without a terminal the program gets pipes. @default true */
  tty?: boolean;
  /** Without a terminal: whether there is input, or its end from the start. @default true */
  stdin?: boolean;
  /** How long to wait until the program is ready. @default 10000 */
  timeoutMs?: number;
  history?: HistoryLimits;
  limits?: ProgramLimits;
  /** Write a recording. @default as the sessions were set up: in the library, none */
  record?: boolean;
}

export interface HistoryLimits {
  /** Bytes kept as they came. @default 4 MiB */
  maxBytes?: number;
  /** Lines kept as text. @default 10000 */
  maxLines?: number;
}

/** What the program, and each that it starts, may use. Absent: no limit but the system's. */
export interface ProgramLimits {
  cpuSeconds?: number;
  memoryBytes?: number;
  processes?: number;
  fileBytes?: number;
  /** From -20, the most favoured, to 19. */
  nice?: number;
}

export type Until = 'ready' | 'exit' | 'output' | 'listening' | 'now';
export const untils: readonly Until[] = ['ready', 'exit', 'output', 'listening', 'now'];

export type ViewName = 'text' | 'screen' | 'diff' | 'raw';
export const viewNames: readonly ViewName[] = ['text', 'screen', 'diff', 'raw'];

export interface WaitFor {
  /** @default 'ready' */
  until?: Until;
  /** A regular expression over new output; with it the wait ends at the match or the exit. */
  match?: string;
  /** Of `ready`: only what is certain ends the wait, neither what is likely nor a guess. */
  certainty?: 'certain';
  timeoutMs?: number;
}

export interface SendOptions extends WaitFor {
  text?: string;
  /** Press Enter after the text. @default true */
  submit?: boolean;
  /** Key names, pressed after the text. */
  keys?: string;
  /**
   * Typed instead of text: the name of a secret, or the secret itself, from a door in whose own
   * process it was found.
   */
  secret?: string | Secret;
  view?: ViewName;
  maxTokens?: number;
}

export interface ReadOptions extends WaitFor {
  /** @default 'text' */
  view?: ViewName;
  /** Read from this position on, and leave the reader where it is. */
  from?: number;
  /** Only lines that match this regular expression, with some around them. */
  search?: string;
  maxTokens?: number;
}

export interface WaitOptions extends WaitFor {
  /** The first of these for which it holds. @default all */
  sessions?: readonly string[];
}

export interface RunOptions {
  /** Whose shell is to run it. @default a fresh one, gone when the command has ended */
  session?: string;
  /** Of a fresh shell. @default the caller's */
  cwd?: string;
  /** Of a fresh shell: added to the caller's environment. */
  env?: Readonly<Record<string, string | undefined>>;
  timeoutMs?: number;
  maxTokens?: number;
}

/** The reader and the actor of whoever does not say who it is. */
export const AGENT = 'agent';

/** How much a call may take, where its caller does not say. */
export const defaults = {
  cols: 120,
  rows: 40,
  openMs: 10_000,
  sendMs: 30_000,
  runMs: 30_000,
  readMs: 0,
  waitMs: 60_000,
  maxTokens: 10_000,
  view: 'text',
  submit: true,
} as const;

export interface SessionsOptions {
  /** Sessions at once; then exited ones go, then idle ones. @default 64 */
  maxSessions?: number;
  /** A session unused for so long may be closed when room is needed. @default 30 minutes */
  idleMs?: number;
  /** A session is closed at this age. @default never */
  lifetimeMs?: number;
  guard?: Guard;
  /** Where secrets come from. @default nowhere */
  secrets?: SecretSource;
  /** Of sessions that are opened with `record`. */
  recordings?: RecordingOptions;
}

/** What is about to happen, and who wants it. */
export type Act =
  | { act: 'open'; session: string; command: readonly string[]; cwd: string; actor: string }
  /** Of a secret, which is typed instead of other input, only its name is told. */
  | { act: 'type'; session: string; input: string; secret?: string; actor: string };

/** Returns a reason to refuse, or nothing. Asked before every start and every input. */
export type Guard = (act: Act) => string | undefined | Promise<string | undefined>;

export const withDefaults = ({
  maxSessions = 64,
  idleMs = 30 * 60_000,
  lifetimeMs = Number.POSITIVE_INFINITY,
  guard = () => undefined,
  secrets = noSecrets,
  recordings = {},
}: SessionsOptions = {}): Required<SessionsOptions> => ({
  maxSessions,
  idleMs,
  lifetimeMs,
  guard,
  secrets,
  recordings,
});

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
    cwd = process.cwd(),
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
    cwd,
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

/** The first word of a command line that is not an assignment: `A=1 python3 -q` is python3. */
const programOf = (command: OpenOptions['command'], shell: string): string => {
  if (command === undefined || command === '') return shell;
  if (typeof command !== 'string') return command[0] ?? '';
  return command.split(/\s+/).find((word) => word !== '' && !/^\w+=/.test(word)) ?? shell;
};

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
