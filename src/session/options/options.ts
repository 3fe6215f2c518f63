/**
 * The options of all calls, and their defaults. Only the defaults of a single part are kept with that
 * part: how much a history keeps, how long closing takes.
 *
 * Defaults are filled in on the caller's side of a socket: `cwd` and `env` are the caller's, and a
 * daemon has its own.
 */
import type { Caller } from '../caller.ts';
import { noSecrets, type Secret, type SecretSource } from '../secrets/secrets.ts';

export interface OpenOptions {
  /** A command line for the user's shell, or a program and its arguments. @default the user's shell */
  command?: string | readonly string[];
  /** @default the caller's */
  cwd?: string;
  /** Added to the caller's environment; undefined removes a variable. */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default made from the program: python3, python3-2 */
  name?: string;
  /** @default 120 */
  cols?: number;
  /** @default 40 */
  rows?: number;
  /** The shell that runs a command line, or is opened without one. @default the user's */
  shell?: string;
  /** Start a shell without the user's startup files. @default false */
  clean?: boolean;
  /** Give the program a terminal; otherwise it gets pipes. @default true */
  tty?: boolean;
  /** Without a terminal: whether the program has input, or gets its end at once. @default true */
  stdin?: boolean;
  /** How long to wait until the program is ready. @default 10000 */
  timeoutMs?: number;
  history?: HistoryLimits;
  limits?: ProgramLimits;
  /** Write a recording. @default `recordings.always` of the sessions */
  record?: boolean;
}

export interface HistoryLimits {
  /** Raw bytes kept. @default 4 MiB */
  maxBytes?: number;
  /** Lines kept as text. @default 10000 */
  maxLines?: number;
}

/** What the program, and each program it starts, may use. Absent: no limit but the system's. */
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
  /** A regular expression for new output. With it, the wait ends at a match or at the exit. */
  match?: string;
  /** With `ready`: only a certain verdict ends the wait, not a likely one or a guess. */
  certainty?: 'certain';
  /** @default 30000 after typing, 0 for a read, 60000 for a wait */
  timeoutMs?: number;
}

export interface SendOptions extends WaitFor {
  text?: string;
  /** Press Enter after the text. @default true */
  submit?: boolean;
  /** Key names, pressed after the text. */
  keys?: string;
  /**
   * Typed instead of text: the name of a secret, or the secret itself, if it was found in the caller's
   * own process.
   */
  secret?: string | Secret;
  /** @default 'text' */
  view?: ViewName;
  /** The budget of the output. @default 10000 */
  maxTokens?: number;
}

export interface ReadOptions extends WaitFor {
  /** @default 'text' */
  view?: ViewName;
  /** Read from this position on, without moving the reader. */
  from?: number;
  /** With `from`, in the text view: move the reader behind what was read. */
  advance?: boolean;
  /** Only lines that match this regular expression, with some lines around them. */
  search?: string;
  /** @default 10000 */
  maxTokens?: number;
}

export interface WaitOptions extends WaitFor {
  /** Wait for the first of these. @default all but those whose exit was reported */
  sessions?: readonly string[];
}

export interface RunOptions {
  /** The session whose shell runs it. @default a new shell, closed when the command has ended */
  session?: string;
  /** For a new shell. @default the caller's */
  cwd?: string;
  /** For a new shell: added to the caller's environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default 30000 */
  timeoutMs?: number;
  /** The budget of the output. @default 10000 */
  maxTokens?: number;
}

/** The longest delay a timer can have: 24 days. */
export const MAX_TIMER_MS = 2 ** 31 - 1;

/** The default reader and actor. */
export const DEFAULT_ACTOR = 'agent';

/** The defaults of calls. */
export const callDefaults = {
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
  /** Open sessions at once. Beyond that, exited ones are closed, then idle ones. @default 64 */
  maxSessions?: number;
  /** A session unused for this long may be closed to make room. @default 30 minutes */
  idleMs?: number;
  /** A session is closed at this age. @default never */
  lifetimeMs?: number;
  guard?: Guard;
  /** Where secrets come from. @default no secrets */
  secrets?: SecretSource;
  /** For sessions opened with `record`. */
  recordings?: RecordingOptions;
}

export interface RecordingOptions {
  /** Created if missing, for its owner alone. @default repartee/recordings in the state folder */
  folder?: string;
  /** Record sessions that are opened without `record`, too. @default false */
  always?: boolean;
  /** After a file of this size a new one is started. @default 8 MiB */
  maxBytes?: number;
  /** Files kept per session. @default 4 */
  maxFiles?: number;
}

/** An action before it happens, and its actor. */
export type GuardedAction =
  | ({ act: 'open'; session: string; command: readonly string[]; cwd: string } & ActedBy)
  /** For a secret, `input` is empty and `secret` is its name. */
  | ({ act: 'type'; session: string; input: string; secret?: string } & ActedBy);

interface ActedBy {
  actor: string;
  caller: Caller;
}

/** Called before every start and every input. Returns a reason to refuse, or undefined. */
export type Guard = (act: GuardedAction) => string | undefined | Promise<string | undefined>;

/** A server holds all sessions of a user, so it allows more than the library's default. */
export const MAX_SERVER_SESSIONS = 256;

export const withSessionsDefaults = ({
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
