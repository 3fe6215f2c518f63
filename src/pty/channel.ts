/**
 * Bytes to and from a process, whether through a terminal or through pipes.
 *
 * It knows nothing of what the bytes mean. Output is delivered in order and completely; the exit is
 * told after all that the program itself has written, and output may still follow it, from jobs the
 * program has left behind.
 */
import { randomUUID } from 'node:crypto';
import { InputClosed, ProgramExited, SignalNotPermitted } from '../errors.ts';
import { type Ending, endSession, killSurvivors, type Survivor, survivorsOf } from './closing.ts';
import { readStat, sessionMembers } from './process-tree.ts';
import type { Reader } from './reader.ts';
import { type Exit, onExit } from './reaper.ts';
import { signalNumber } from './signals.ts';
import { Writer } from './writer.ts';

export interface CloseOptions {
  /** Also end what has left the session. @default false */
  force?: boolean;
  /** Between the hang-up and SIGKILL; 0 kills at once. @default 1000 */
  graceMs?: number;
}

export interface Closed {
  /** What the session started and is still running. */
  survivors: Survivor[];
}

/** What a channel is made of. */
export interface Parts {
  pid: number;
  /** Made before the program was started, when failing to make it costs nothing. */
  reader: Reader;
  /** The descriptor to write to; absent where the program's input is closed. */
  input?: number;
  /** Called when the program has exited and all it wrote has been read. */
  onExit?(): void;
  /** Closes the descriptors. */
  release(): void;
  mark: string;
  link: string;
}

export const newMark = (): string => randomUUID();

export class Channel {
  readonly pid: number;
  /** How the program ended, once all that it wrote has been delivered. */
  readonly exited: Promise<Exit>;
  /** Resolves when no more output can come: every process that could write is gone. */
  readonly ended: Promise<void>;
  #exit: Exit | undefined;
  #closed: Promise<Closed> | undefined;
  #isReleased = false;
  readonly #parts: Parts;
  readonly #ending: Ending;
  readonly #reader: Reader;
  readonly #writer: Writer | undefined;

  constructor(parts: Parts) {
    const { pid, reader, input, mark, link } = parts;
    this.pid = pid;
    this.#parts = parts;
    const startTime = readStat(pid)?.startTime ?? Number.POSITIVE_INFINITY;
    this.#ending = { session: pid, startTime, mark, link };
    this.#writer = input === undefined ? undefined : new Writer(input);
    this.#reader = reader;
    this.ended = reader.ended;
    this.exited = new Promise((resolve) => {
      onExit(pid, (exit) => resolve(this.#afterExit(exit)));
    });
  }

  /** How the program ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Whatever is written is completed as the program reads, after all that was written before. */
  async write(bytes: Uint8Array | string): Promise<void> {
    this.assertRunning('written to');
    if (this.#writer === undefined) throw new InputClosed();
    await this.#writer.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  }

  /** Stops delivering output; the program blocks when the kernel's buffer is full. */
  pause(): void {
    this.#reader.pause();
  }

  resume(): void {
    this.#reader.resume();
  }

  /** Signals every process of the session, background jobs too. */
  async signalSession(name: string): Promise<void> {
    const signal = signalNumber(name);
    this.assertRunning('sent a signal');
    const members = await sessionMembers(this.pid);
    sendSignal(
      name,
      signal,
      members.map(({ pid }) => pid),
    );
  }

  /** Ends the program and all that is in its session. Closing twice gives the same answer. */
  close({ force = false, graceMs = 1000 }: CloseOptions = {}): Promise<Closed> {
    this.#closed ??= this.#close(force, graceMs);
    return this.#closed;
  }

  /** Whether the descriptors are still ours: their numbers may be somebody else's by now. */
  protected get isReleased(): boolean {
    return this.#isReleased;
  }

  protected assertRunning(attempt: string): void {
    if (this.#closed !== undefined) throw new ProgramExited(attempt, 'its session was closed');
    if (this.#exit !== undefined) throw new ProgramExited(attempt, describeExit(this.#exit));
  }

  async #afterExit(exit: Exit): Promise<Exit> {
    await this.#reader.settle();
    this.#exit = exit;
    this.#writer?.fail(`the program has ended (${describeExit(exit)})`);
    this.#parts.onExit?.();
    return exit;
  }

  async #close(force: boolean, graceMs: number): Promise<Closed> {
    const ending = this.#ending;
    await endSession(ending, graceMs);
    if (force) await killSurvivors(ending);
    // A reader that is paused would keep the exit from being told.
    this.#reader.resume();
    const survivors = await survivorsOf(ending);
    const leaderSurvived = survivors.some(({ pid }) => pid === this.pid);
    if (!leaderSurvived) await this.exited;
    this.#writer?.fail('the session was closed');
    this.#reader.stop();
    this.#isReleased = true;
    this.#parts.release();
    return { survivors: survivors.map(({ pid, name }) => ({ pid, name })) };
  }
}

/** Throws only where nothing could be signalled for lack of permission. */
export const sendSignal = (name: string, signal: number, pids: readonly number[]): void => {
  const refused = pids.filter((pid) => {
    try {
      process.kill(pid, signal);
      return false;
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EPERM';
    }
  });
  if (refused.length > 0 && refused.length === pids.length) {
    throw new SignalNotPermitted(name, refused);
  }
};

export const describeExit = ({ code, signal }: Exit): string => {
  if (signal !== undefined) return `ended by ${signal}`;
  return code === undefined ? 'how is not known' : `exit code ${code}`;
};
