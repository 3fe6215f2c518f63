/**
 * What a caller may ask of a session, and what it gets where it does not say. Only what a part works
 * with by itself is written down there: how much a history keeps, how long a closing takes.
 *
 * Defaults are filled in on the caller's side of a socket: `cwd` and `env` are the caller's, and a
 * daemon has others of its own.
 */
import { noSecrets, type Secret, type SecretSource } from '../secrets/secrets.ts';

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
   * Typed instead of text: the name of a secret, or the secret itself, from a door in whose own
   * process it was found.
   */
  secret?: string | Secret;
  /** @default 'text' */
  view?: ViewName;
  /** Of the answer. @default 10000 */
  maxTokens?: number;
}

export interface ReadOptions extends WaitFor {
  /** @default 'text' */
  view?: ViewName;
  /** Read from this position on, and leave the reader where it is. */
  from?: number;
  /** With `from`, in the text view: what was given is read, and the reader goes on behind it. */
  advance?: boolean;
  /** Only lines that match this regular expression, with some around them. */
  search?: string;
  /** @default 10000 */
  maxTokens?: number;
}

export interface WaitOptions extends WaitFor {
  /** The first of these for which it holds. @default all but those that are known to have exited */
  sessions?: readonly string[];
}

export interface RunOptions {
  /** Whose shell is to run it. @default a fresh one, gone when the command has ended */
  session?: string;
  /** Of a fresh shell. @default the caller's */
  cwd?: string;
  /** Of a fresh shell: added to the caller's environment. */
  env?: Readonly<Record<string, string | undefined>>;
  /** @default 30000 */
  timeoutMs?: number;
  /** Of the output. @default 10000 */
  maxTokens?: number;
}

/** The longest that a timer can take: 24 days. */
export const LONGEST_MS = 2 ** 31 - 1;

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

export interface RecordingOptions {
  /** Made if it is not there, for its owner alone. @default repartee/recordings in the state folder */
  folder?: string;
  /** Whether sessions are recorded that do not say. @default false */
  always?: boolean;
  /** A file larger than this is followed by another. @default 8 MiB */
  maxBytes?: number;
  /** Files kept of one session. @default 4 */
  maxFiles?: number;
}

/** What is about to happen, and who wants it. */
export type GuardedAction =
  | { act: 'open'; session: string; command: readonly string[]; cwd: string; actor: string }
  /** Of a secret, which is typed instead of other input, only its name is told. */
  | { act: 'type'; session: string; input: string; secret?: string; actor: string };

/** Returns a reason to refuse, or nothing. Asked before every start and every input. */
export type Guard = (act: GuardedAction) => string | undefined | Promise<string | undefined>;

/** In a server everything of a user is in one place, so there is room for more than in a library. */
export const SERVER_SESSIONS = 256;

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
