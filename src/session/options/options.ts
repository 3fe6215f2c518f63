/**
 * The options of all calls, whose types come from calls.ts, and their defaults. Only the defaults of a
 * single part are kept with that part: how much a history keeps, how long closing takes.
 *
 * Defaults are filled in on the caller's side of a socket: `cwd` and `env` are the caller's, and a
 * daemon has its own.
 */
import type { Caller } from '../caller.ts';
import type { SandboxOptions } from '../confinement.ts';
import { noSecrets, type SecretSource } from '../secrets/secrets.ts';
import type {
  historyFields,
  limitFields,
  openFields,
  readFields,
  runFields,
  sendFields,
  waitFields,
  waitForFields,
} from './calls.ts';
import type { OptionsOf } from './fields.ts';

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
  /** Many MCP clients give up a call after 60 s, so no default is longer than this. */
  waitMs: 45_000,
  maxTokens: 10_000,
  view: 'text',
  submit: true,
} as const;

export const untils = ['ready', 'exit', 'output', 'listening', 'now'] as const;
export type Until = (typeof untils)[number];

export const viewNames = ['text', 'screen', 'diff', 'raw', 'image'] as const;
export type ViewName = (typeof viewNames)[number];

export type OpenOptions = OptionsOf<typeof openFields>;
export type HistoryLimits = OptionsOf<typeof historyFields>;
/** What the program, and each program it starts, may use. Absent: no limit but the system's. */
export type ProgramLimits = OptionsOf<typeof limitFields>;
export type WaitFor = OptionsOf<typeof waitForFields>;
export type SendOptions = OptionsOf<typeof sendFields>;
export type ReadOptions = OptionsOf<typeof readFields>;
export type WaitOptions = OptionsOf<typeof waitFields>;
export type RunOptions = OptionsOf<typeof runFields>;

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
  /** Confines the programs of all sessions. @default no sandbox, and this process's folder as workspace */
  sandbox?: SandboxOptions;
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
  sandbox = {},
}: SessionsOptions = {}): Required<SessionsOptions> => ({
  maxSessions,
  idleMs,
  lifetimeMs,
  guard,
  secrets,
  recordings,
  sandbox,
});
