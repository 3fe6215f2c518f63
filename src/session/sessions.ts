/**
 * The waist: everything outside (MCP, the command line, a daemon's client) talks to this interface,
 * and everything inside is behind it.
 */

import type { ShellMark } from '../screen/sequences/screen-events.ts';
import type { Certainty, WaitingFor } from '../state/verdict.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/channel.ts';
import type { Omitted } from '../views/budget.ts';
import type { MarkedText } from '../views/marked.ts';
import type {
  OpenOptions,
  ReadOptions,
  RunOptions,
  SendOptions,
  WaitOptions,
} from './options/options.ts';

/** Who asks, and how to make it stop. */
export interface CallOptions {
  /** Ends the wait, never the program. */
  signal?: AbortSignal;
  /** @default 'agent' */
  actor?: string;
  /** Whose position in the output is meant. @default 'agent' */
  reader?: string;
  /** Called now and then while the call waits. */
  onProgress?: (progress: CallProgress) => void;
}

export interface CallProgress {
  session: string;
  elapsedMs: number;
  state: SessionState['state'];
  /** The last line the program has shown. */
  lastLine: string;
}

/** How it stands with a session. */
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
  /** Where a secret is asked for: the names of those that may be typed. */
  secrets?: readonly string[];
  /** The person who has taken the keyboard. */
  keyboard?: string;
}

export interface SessionResult extends SessionState {
  /** In the text view, what the program said since this reader last looked. */
  output: string;
  /** In the text view: it goes on in the line in which this reader's last output ended. */
  continues?: true;
  /** What did not fit the budget, or was no longer kept. */
  omitted?: Omitted;
  /** Up to where the output has been read. */
  position: number;
  elapsedMs: number;
  /** The wait ended by time; the program goes on. */
  timedOut?: boolean;
  /** What `match` found. */
  matched?: string;
  /** Of the screen views. */
  screen?: ScreenFacts;
}

/**
 * `exitCode` is the command's, and so is `output`. Where the command has not ended the state says why
 * (it waits for input, or works on), `session` lives, and there is no exit code.
 */
export interface RunResult extends SessionResult {
  /** The shell's folder after the command. */
  cwd?: string;
  /** Whether the output ended with a newline, which `output` leaves out: `echo` and `printf a`. */
  endsLine?: boolean;
  /** How long the command took. */
  tookMs?: number;
  /** How the end is known: the shell's own marks, or a mark typed behind the command. */
  endMark: 'shell' | 'typed';
}

export interface ScreenFacts {
  /** Both from 1, as `Click(col,row)` takes them; so are the places in `marked`. */
  cursor: { col: number; row: number; visible: boolean };
  cols: number;
  rows: number;
  title: string;
  marked: MarkedText[];
}

export interface SessionSummary extends SessionState {
  /** Since it was last typed to or read. */
  idleMs: number;
  ageMs: number;
  /** Bytes of output that the default reader has not read. */
  unread: number;
  /** The file that its recording is written to. */
  recording?: string;
  pid: number;
}

export type SessionEvent = { session: string } & (
  | { type: 'opened'; command: readonly string[]; pid: number }
  /**
   * Bytes that draw the screen as it is: the first event of a subscriber that came late, and the
   * next one of a subscriber so slow that output was left out.
   */
  | { type: 'screen'; dump: string; cols: number; rows: number; position: number }
  | { type: 'output'; bytes: Uint8Array; position: number }
  /** `hidden`: typed where nothing is echoed, or a secret, by its name; then there are no bytes. */
  | { type: 'input'; bytes: Uint8Array; actor: string; hidden?: true; secret?: string }
  | { type: 'resized'; cols: number; rows: number }
  /** A shell has marked a prompt, a command or its end; the output that has it follows. */
  | { type: 'mark'; mark: ShellMark['mark']; exitCode?: number; position: number }
  /** Something besides the program went wrong, such as its recording. */
  | { type: 'trouble'; message: string }
  | { type: 'state'; situation: SessionState }
  | { type: 'exited'; exitCode?: number; signal?: string }
  /** No more output can come: all that could write it is gone. */
  | { type: 'ended' }
  | { type: 'closed' }
);

/** Of a session that is known from the context. The bytes of output are there only during the call. */
export type SessionEventBody = WithoutSession<SessionEvent>;
type WithoutSession<Event> = Event extends unknown ? Omit<Event, 'session'> : never;

export interface Sessions extends AsyncDisposable {
  /** Starts a program, and returns when it is ready, has exited, or time is up. */
  open(options?: OpenOptions, call?: CallOptions): Promise<SessionResult>;
  /** Types, then waits. */
  send(session: string, input: SendOptions, call?: CallOptions): Promise<SessionResult>;
  /** One shell command: exactly its output, its exit code, the folder after it. */
  run(command: string, options?: RunOptions, call?: CallOptions): Promise<RunResult>;
  /** Types bytes as they are, from a person's own terminal, say, and waits for nothing. */
  type(session: string, bytes: Uint8Array, call?: CallOptions): Promise<void>;
  /** Until it is given back, only this actor can type. */
  take(session: string, call?: CallOptions): Promise<void>;
  giveBack(session: string, call?: CallOptions): Promise<void>;
  /** What is new, the screen, or any part of the history. */
  read(session: string, options?: ReadOptions, call?: CallOptions): Promise<SessionResult>;
  /** The first session for which it holds. */
  wait(options?: WaitOptions, call?: CallOptions): Promise<SessionResult>;
  list(): Promise<SessionSummary[]>;
  resize(session: string, cols: number, rows: number): Promise<void>;
  /** To the program in the foreground. */
  signal(session: string, signal: string): Promise<void>;
  close(session: string, options?: CloseOptions): Promise<CloseResult>;
  closeAll(options?: CloseOptions): Promise<CloseResult>;
  /**
   * Every event from now on, of every session or of one, preceded by the screen as it is; or only
   * those of some types, and whoever does without states and screens spares the cost of them.
   * Where there is no such session, that is told as `closed`.
   */
  subscribe(
    listener: (event: SessionEvent) => void,
    session?: string,
    types?: readonly SessionEvent['type'][],
  ): () => void;
}
