/** What another process holds of a terminal, so that it does not end with this one. */
import type { ExitNote } from '../process/reaper.ts';
import type { ReadMemory } from './read-memory.ts';

/** Our descriptors of a terminal or of pipes. */
export interface TerminalEnds {
  /** Held until the terminal is closed: its master, or the pipe that output is read from. */
  main: number;
  /**
   * May be let go before that: our slave, or the pipe that input is written to. While anybody holds the
   * one, the terminal cannot end, and while anybody holds the other, the program's input cannot.
   */
  second?: number | undefined;
}

/** A terminal that is to be kept. */
export interface TerminalToKeep extends TerminalEnds {
  /** How much is read at once. @default what a terminal gives at most */
  readBytes?: number;
}

/** Keeps a terminal beyond the end of this process. */
export interface TerminalKeeping extends ReadMemory, ExitNote {
  /** Of the program that was started. */
  pid: number;
  /** Lets the second end go, for good, even if this process is killed right after the call. */
  dropSecond(): void;
  /** The terminal is closed. */
  release(): void;
}

/** Called before the program is started. Undefined: it cannot be kept. */
export type KeepTerminal = (terminal: TerminalToKeep) => TerminalKeeping | undefined;
