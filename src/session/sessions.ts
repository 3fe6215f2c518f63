/**
 * The contract between the engine and everything outside it: MCP, the command line and a daemon's client
 * all use this interface.
 */

import type { ShellMark } from '../screen/sequences/screen-events.ts';
import type { Certainty, WaitingFor } from '../state/verdict.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import type { Omitted } from '../views/budget.ts';
import type { HighlightedText } from '../views/highlighted-text.ts';
import type { ScreenPicture } from '../views/picture.ts';
import type { Caller } from './caller.ts';
import type { Confinement } from './confinement.ts';
import type { AskUser } from './input/approval.ts';
import type {
  OpenOptions,
  ReadOptions,
  RunOptions,
  SendOptions,
  WaitOptions,
} from './options/options.ts';

/** Who calls, and how to stop the call. */
export interface CallOptions {
  /** Ends the wait, never the program. */
  signal?: AbortSignal;
  /** @default 'agent' */
  actor?: string;
  /** @default this process: door `library`, an agent */
  caller?: Caller;
  /** The reader whose position in the output is used. @default 'agent' */
  reader?: string;
  /** Called now and then while the call waits. */
  onProgress?: (progress: CallProgress) => void;
  /** Puts a question of the daemon's policy to the user. @default nobody is asked */
  askUser?: AskUser;
  /** Called when a person is asked before anything is typed, with what settles when that is over. @internal */
  onAsking?: (asked: Promise<unknown>) => void;
  /** Called with the name of a new session, before its program is started. @internal */
  onNamed?: (session: string) => void;
  /** What a new session is written down with, if it is kept. @internal */
  attachments?: ReadonlyMap<string, unknown>;
  /** How far its programs may go. @default as the options of the sessions say @internal */
  confinement?: Confinement;
  /** Called when all input is typed: from then on the call only waits. @internal */
  onTyped?: () => void;
  /** The input was typed by the program before us in this process: the call only waits. @internal */
  isTyped?: boolean;
  /**
   * Waited for before output counts as read: a caller that has lost its connection would not get it,
   * and nobody else would either. @internal
   */
  untilHeard?: () => Promise<void> | undefined;
}

export interface CallProgress {
  session: string;
  elapsedMs: number;
  state: SessionState['state'];
  /** The last line the program has printed. */
  lastLine: string;
}

/** The state of a session. */
export interface SessionState {
  session: string;
  state: 'working' | 'waiting' | 'exited';
  waitingFor?: WaitingFor;
  prompt?: string;
  certainty: Certainty;
  because: string;
  /** The program in the foreground. */
  foreground?: string;
  /** The TCP ports on which the session's programs listen. */
  listening?: number[];
  exitCode?: number;
  signal?: string;
  /** If a secret is asked for: the names of the secrets that may be typed. */
  secrets?: readonly string[];
  /** The person who has taken the keyboard. */
  keyboard?: string;
  /** What else the caller should know: of the user's policy. */
  notice?: string;
}

export interface SessionResult extends SessionState {
  /** In the text view: what the program has printed since this reader's last read. */
  output: string;
  /** In the text view: the output continues the line in which this reader's last output ended. */
  continues?: true;
  /** What did not fit the budget, or is no longer kept. */
  omitted?: Omitted;
  /** How many characters were left out because no person could see them. The view `raw` has them. */
  hidden?: number;
  /** The position up to which the output has been read. */
  position: number;
  elapsedMs: number;
  /** The wait timed out; the program runs on. */
  timedOut?: boolean;
  /** What `match` found. */
  matched?: string;
  /** Only in the screen views. */
  screen?: ScreenFacts;
  /** Only in the view `image`: what `drawPng` and `drawSvg` take. Absent if the screen is too large. */
  picture?: ScreenPicture;
}

/**
 * `exitCode` and `output` are those of the command. If the command has not ended, the state says why (it
 * waits for input, or is still working), `session` stays open, and there is no exit code.
 */
export interface RunResult extends SessionResult {
  /** The shell's folder after the command. */
  cwd?: string;
  /** Whether the output ended with a newline, which `output` leaves out: false for `printf a`. */
  endsLine?: boolean;
  /** How long the command took. */
  tookMs?: number;
  /**
   * How the end is detected: by the shell's own marks, or by a mark typed with the command. `lost`: the
   * command has removed the shell's marks. It has ended, but its exit code is not known.
   */
  endMark: 'shell' | 'typed' | 'lost';
}

export interface ScreenFacts {
  /** `col` and `row` count from 1, as `Click(col,row)` takes them; so do those in `marked`. */
  cursor: { col: number; row: number; visible: boolean };
  cols: number;
  rows: number;
  title: string;
  marked: HighlightedText[];
}

export interface SessionSummary extends SessionState {
  /** Time since it was last typed to or read. */
  idleMs: number;
  ageMs: number;
  /** Bytes of output that the default reader has not read. */
  unread: number;
  /** The profile of its sandbox. Absent if it has none. */
  sandbox?: string;
  /** The file its recording is written to. */
  recording?: string;
  /** A caller was told that it has exited: a wait for any session leaves it out. */
  isExitReported?: true;
  pid: number;
  /** The folder that its program is in. Absent if that cannot be seen. */
  cwd?: string;
  openedBy: Caller;
  /** Who typed last. */
  inputBy?: Caller;
}

export type SessionEvent = { session: string } & (
  | { type: 'opened'; command: readonly string[]; pid: number; openedBy: Caller }
  /** `session` is the old name. Subscribers of that session get the events under the new one, too. */
  | { type: 'renamed'; to: string }
  /**
   * Bytes that draw the current screen: the first event for a late subscriber, and the next event for a
   * subscriber that was too slow and missed output.
   */
  | { type: 'screen'; dump: string; cols: number; rows: number; position: number }
  | { type: 'output'; bytes: Uint8Array; position: number }
  /** There is output up to here: told without its bytes, four times a second at most, if it is asked for. */
  | { type: 'printed'; position: number }
  /** `hidden`: typed without echo, or a secret, which is named. Then `bytes` is empty. */
  | {
      type: 'input';
      bytes: Uint8Array;
      actor: string;
      caller: Caller;
      hidden?: true;
      secret?: string;
    }
  /** `holder` has taken the keyboard; if it is absent, the keyboard was given back. */
  | { type: 'keyboard'; holder?: string; caller: Caller }
  | { type: 'resized'; cols: number; rows: number }
  /** A shell has marked a prompt, a command or its end. The output with the mark follows this event. */
  | { type: 'mark'; mark: ShellMark['mark']; exitCode?: number; position: number }
  /** Something other than the program failed, such as its recording. */
  | { type: 'trouble'; message: string }
  | { type: 'state'; situation: SessionState }
  | { type: 'exited'; exitCode?: number; signal?: string }
  /** No more output can come: every process that could write it is gone. */
  | { type: 'ended' }
  | { type: 'closed' }
);

/** An event without its session's name. The bytes of output are valid only during the call. */
export type SessionEventBody = WithoutSession<SessionEvent>;
type WithoutSession<Event> = Event extends unknown ? Omit<Event, 'session'> : never;

/** A host of which no sessions can be listed. */
export interface UnreachableHost {
  host: string;
  reason: string;
}

export interface Sessions extends AsyncDisposable {
  /** The names of the machines, beside this one, on which sessions can be opened. Absent: none. */
  readonly hosts?: readonly string[];
  /** Connects to all hosts, so that their sessions are listed. Returns those that cannot be reached. */
  reachHosts?(): Promise<UnreachableHost[]>;
  /** Starts a program, and returns when it is ready, has exited, or the time is up. */
  open(options?: OpenOptions, call?: CallOptions): Promise<SessionResult>;
  /** Types, then waits. */
  send(session: string, input: SendOptions, call?: CallOptions): Promise<SessionResult>;
  /** Runs one shell command: returns exactly its output, its exit code and the folder after it. */
  run(command: string, options?: RunOptions, call?: CallOptions): Promise<RunResult>;
  /** Types bytes as they are, for example from a person's terminal, and does not wait. */
  type(session: string, bytes: Uint8Array, call?: CallOptions): Promise<void>;
  /** Takes the keyboard: until it is given back, only this actor can type. */
  take(session: string, call?: CallOptions): Promise<void>;
  giveBack(session: string, call?: CallOptions): Promise<void>;
  /** Reads what is new, the screen, or any part of the history. */
  read(session: string, options?: ReadOptions, call?: CallOptions): Promise<SessionResult>;
  /** Waits for the first session that meets the condition. */
  wait(options?: WaitOptions, call?: CallOptions): Promise<SessionResult>;
  list(): Promise<SessionSummary[]>;
  resize(session: string, cols: number, rows: number): Promise<void>;
  /** Waits and subscriptions go on under the new name. A recording keeps the old one. */
  rename(session: string, to: string): Promise<void>;
  /** Sends a signal to the foreground program. */
  signal(session: string, signal: string): Promise<void>;
  close(session: string, options?: CloseOptions): Promise<CloseResult>;
  closeAll(options?: CloseOptions): Promise<CloseResult>;
  /**
   * Delivers every event from now on, of all sessions or of one, after the current screen. With `types`
   * only those events; leaving out `state` and `screen` saves their cost. If there is no session of
   * this name, a `closed` event says so.
   */
  subscribe(
    listener: (event: SessionEvent) => void,
    session?: string,
    types?: readonly SessionEvent['type'][],
  ): () => void;
}
