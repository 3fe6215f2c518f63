/**
 * What every tool in the comparison is asked, in the same words.
 *
 * An adapter makes of each question the calls that the tool's own documentation gives for it, and
 * hands back what the tool said. It judges nothing: whether an answer is right is for the task.
 */

/** `unknown`: the tool says nothing of whose turn it is. */
export type State = 'waiting' | 'working' | 'exited' | 'unknown';

export interface Answer {
  /** The program's output, in the words of the tool, without what the tool says of itself. */
  text: string;
  state: State;
  /** When the caller had it, in ms of the monotonic clock. */
  at: number;
  /** Whether the tool said that a secret is asked for. */
  secret?: boolean;
  /** Whether this answer needed the prompt, or the line, to be known in advance. */
  told?: boolean;
}

/** What a caller may know in advance, and tell a tool that takes it. */
export interface Expected {
  /** The end of what the program says before it waits. */
  prompt?: string;
  /** Text that shows that a screen has been drawn. */
  screen?: string;
  /** The program is to end. */
  exit?: true;
}

type Stroke = { text: string } | { key: 'Enter' | 'Escape' };

export interface Conversation {
  first: Answer;
  /** Types a line and Enter, and waits for the answer. */
  say(line: string, expected: Expected, limitMs: number): Promise<Answer>;
  press(strokes: readonly Stroke[], expected: Expected, limitMs: number): Promise<Answer>;
  /** Types a password: as a secret where the tool knows such a thing. */
  saySecret(expected: Expected, limitMs: number): Promise<Answer>;
  close(): Promise<void>;
}

/** A tool that runs, in a process of its own. */
export interface Seat {
  /** A shell command from its beginning to its end, with all of its output or with the end of it. */
  run(command: string, limitMs: number, want?: 'all' | 'end'): Promise<Answer>;
  open(command: string, expected: Expected, limitMs: number): Promise<Conversation>;
  /** A server, until it is up; `line` is what it prints then. */
  serve(command: string, line: string, limitMs: number): Promise<Conversation>;
  /** What a model must be told before it can use the tool; absent where it is not offered to one. */
  schemas?(): Promise<Schemas>;
  stop(): Promise<void>;
}

export interface Schemas {
  tools: number;
  bytes: number;
  /** Of those that are about terminals and processes. */
  terminalBytes: number;
}

export interface Peer {
  name: string;
  /** How it is used here. */
  how: string;
  /** Installs it where it is missing; its version, or undefined where it cannot be had. */
  install(): Promise<string | undefined>;
  start(surroundings: Surroundings): Promise<Seat>;
}

export interface Surroundings {
  /** A home of its own: no tool finds a person's settings, and none leaves any. */
  home: string;
  env: Readonly<Record<string, string>>;
  /** Keeps what was asked and what came back, as it came. */
  keep(asked: unknown, answered: unknown): void;
}

/** Thrown where a tool has no way to do it. */
export class Cannot extends Error {}

/** The password of every task. */
export const PASSWORD = 'tr0ub4dor';
