/**
 * What a session needs of its terminal, whichever kind it is: a pseudo-terminal opened by us (pty.ts)
 * or adopted from another process, or pipes (pipes.ts). Each answers every question truthfully, so no
 * caller has to ask which kind it holds.
 */
import type { Survivor } from '../process/end-process-session.ts';
import type { Exit } from '../process/reaper.ts';
import type { LineMode, Size } from './pty-device.ts';

export interface CloseOptions {
  /** Also end processes that have left the session. @default false */
  force?: boolean;
  /** The time between the hang-up and SIGKILL. 0 kills at once. @default 1000 */
  graceMs?: number;
  /** The signal that asks the program to end. @default a hang-up, then SIGTERM */
  signal?: NodeJS.Signals;
}

export interface CloseResult {
  /** Processes that the session has started and that still run. */
  survivors: Survivor[];
}

export interface Terminal {
  /** The leader of the session: the program that was started. */
  readonly pid: number;
  /** The program itself: the leader, or, if that is a sandbox, the program that it has started. */
  readonly programPid: number;
  /** Whether the leader is a sandbox. */
  readonly isSandbox: boolean;
  /** When the leader started, in clock ticks since boot. With the pid it names the process for ever. */
  readonly startTime: number;
  /** The value of REPARTEE_SESSION in the program's environment. */
  readonly mark: string;
  /** The device number of the slave. Undefined where the program has no terminal device. */
  readonly device: number | undefined;
  /** The number of the file system that has the slave's name. */
  readonly fileSystem: number | undefined;
  /** The process session whose controlling terminal it is. Undefined where there is none. */
  readonly session: number | undefined;
  /** The pipe that the program reads in place of a terminal, as /proc names it. Undefined once closed. */
  readonly inputPipe: string | undefined;
  /** How the program ended; undefined while it runs. */
  readonly exit: Exit | undefined;
  /** Resolves after everything that the program itself has written was delivered. */
  readonly exited: Promise<Exit>;
  /** Resolves when no more output can come: every process that could write is gone. */
  readonly ended: Promise<void>;
  /** The process group in the foreground; undefined where there is none. */
  readonly foregroundGroup: number | undefined;
  /** How the terminal treats what is typed; undefined where nothing does, and after the exit. */
  readonly lineMode: LineMode | undefined;
  /** Whether the program has input to read. */
  readonly hasUnreadInput: boolean;
  /** Whether the program has written what was not delivered yet. */
  readonly hasUnreadOutput: boolean;
  /** The part of it that was read from the program already. */
  readonly undelivered: Buffer | undefined;
  /** What the Enter key sends. */
  readonly enter: '\r' | '\n';
  /** Completed as the program reads, after everything that was written before. */
  write(bytes: Uint8Array | string): Promise<void>;
  /** What Ctrl-D does in a terminal: the program finds the end of its input. */
  endInput(): Promise<void>;
  /** Does nothing where there is no size. */
  resize(size: Size): void;
  /** To the program in the foreground; without a foreground, to all of the session. */
  signal(name: string): Promise<void>;
  /** Delivers no more at once than `shareOf` says of a chunk. */
  limitWork(shareOf: (chunk: Buffer) => number): void;
  /** Stops delivering output; the program blocks when the kernel's buffer is full. */
  pause(): void;
  resume(): void;
  close(options?: CloseOptions): Promise<CloseResult>;
}
