/**
 * Bytes to and from a process, through a terminal or through pipes.
 *
 * A channel does not know what the bytes mean. Output is delivered completely and in order. The exit
 * is reported after everything the program itself has written; jobs it left behind may still write
 * after that.
 */

import { randomUUID } from 'node:crypto';
import { InputClosed, ProgramExited, UnusableNumber } from '../../errors.ts';
import type { HeldFile } from '../proc/descriptor-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { describeExit } from '../process/describe-exit.ts';
import {
  endProcessSession,
  findSurvivors,
  killSurvivors,
  type ProcessSessionEnding,
  SESSION_VARIABLE,
  type Survivor,
} from '../process/end-session.ts';
import type { ProgramRequest } from '../process/locate-program.ts';
import { processesOfSession } from '../process/process-tree.ts';
import { type Exit, onProcessExit, stopWaitingForExit } from '../process/reaper.ts';
import { sendSignal, signalName, signalNumber } from '../process/signals.ts';
import type { TerminalReader } from './terminal-reader.ts';
import { TerminalWriter } from './terminal-writer.ts';

export interface CloseOptions {
  /** Also end what has left the session. @default false */
  force?: boolean;
  /** Between the hang-up and SIGKILL; 0 kills at once. @default 1000 */
  graceMs?: number;
  /** How it is asked to end. @default a hang-up, then SIGTERM */
  signal?: NodeJS.Signals;
}

export interface CloseResult {
  /** What the session started and is still running. */
  survivors: Survivor[];
}

/** What a channel is made of. */
export interface ChannelParts {
  pid: number;
  /** Made before the program was started, when failing to make it costs nothing. */
  reader: TerminalReader;
  /** The descriptor to write to; absent where the program's input is closed. */
  input?: number;
  /** Called when the program has exited and all it wrote has been read. */
  afterExit?(): void;
  /** Closes the descriptors. */
  release(): void;
  mark: string;
  file: HeldFile;
}

/** A program's environment with the mark of a new session in it. */
export const withSessionVariable = (
  env: ProgramRequest['env'],
): { mark: string; env: ProgramRequest['env'] } => {
  const mark = randomUUID();
  return { mark, env: { ...env, [SESSION_VARIABLE]: mark } };
};

export class Channel {
  readonly pid: number;
  /** How the program ended, once all that it wrote has been delivered. */
  readonly exited: Promise<Exit>;
  /** Resolves when no more output can come: every process that could write is gone. */
  readonly ended: Promise<void>;
  #exit: Exit | undefined;
  #closed: Promise<void> | undefined;
  #survivors: readonly ProcessStat[] = [];
  #isReleased = false;
  readonly #parts: ChannelParts;
  readonly #ending: ProcessSessionEnding;
  readonly #writer: TerminalWriter | undefined;
  #refusesInput = false;

  constructor(parts: ChannelParts) {
    const { pid, reader, input, mark, file } = parts;
    this.pid = pid;
    this.#parts = parts;
    const startTime = readProcessStat(pid)?.startTime ?? 0;
    this.#ending = { session: pid, startTime, mark, file, killAtMs: Number.POSITIVE_INFINITY };
    this.#writer = input === undefined ? undefined : new TerminalWriter(input);
    this.ended = reader.ended;
    this.exited = new Promise((resolve) => {
      onProcessExit(pid, (exit) => resolve(this.#afterExit(exit)));
    });
    // Not at once: the code that awaits the channel must have it before the first output.
    setImmediate(() => reader.start());
  }

  /** How the program ended; undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Completed as the program reads, after everything that was written before. */
  async write(bytes: Uint8Array | string): Promise<void> {
    if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) {
      throw new TypeError(`Only a string or a Uint8Array can be written, not ${typeof bytes}.`);
    }
    this.assertRunning('written to');
    if (this.#writer === undefined || this.#refusesInput) throw new InputClosed();
    await this.#writer.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  }

  /** Stops delivering output; the program blocks when the kernel's buffer is full. */
  pause(): void {
    this.#parts.reader.pause();
  }

  resume(): void {
    this.#parts.reader.resume();
  }

  /** Signals every process of the session, background jobs too. */
  async signalSession(name: string): Promise<void> {
    signalNumber(name);
    this.assertRunning('sent a signal');
    const members = await processesOfSession(this.pid);
    sendSignal(
      name,
      members.map(({ pid }) => pid),
    );
  }

  /**
   * Ends the program and all that is in its session. Closing again gives the same answer, unless
   * it asks for more: less grace, or force.
   */
  async close({ force = false, graceMs = 1000, signal }: CloseOptions = {}): Promise<CloseResult> {
    if (!(Number.isFinite(graceMs) && graceMs >= 0))
      throw new UnusableNumber('graceMs', graceMs, 'milliseconds from 0');
    const asked = signal === undefined ? undefined : signalName(signalNumber(signal));
    const ending = this.#ending;
    if (asked !== undefined) ending.signal ??= asked;
    ending.killAtMs = Math.min(ending.killAtMs, performance.now() + graceMs);
    this.#closed ??= this.#close();
    try {
      await this.#closed;
    } catch (error) {
      this.#closed = undefined;
      throw error;
    }
    if (force && this.#survivors.length > 0)
      this.#survivors = await killSurvivors(ending, this.#survivors);
    return { survivors: this.#survivors.map(({ pid, name }) => ({ pid, name })) };
  }

  /** Whether the descriptors are closed: their numbers may have been reused since. */
  protected get isReleased(): boolean {
    return this.#isReleased;
  }

  /** What was written before is still completed. */
  protected refuseInput(): void {
    this.#refusesInput = true;
  }

  protected assertRunning(attempt: string): void {
    if (this.#closed !== undefined) throw new ProgramExited(attempt, 'its session was closed');
    if (this.#exit !== undefined) throw new ProgramExited(attempt, describeExit(this.#exit));
  }

  async #afterExit(exit: Exit): Promise<Exit> {
    await this.#parts.reader.settle();
    this.#exit = exit;
    this.#writer?.fail(`the program has ended (${describeExit(exit)})`);
    this.#parts.afterExit?.();
    return exit;
  }

  async #close(): Promise<void> {
    const { reader } = this.#parts;
    const ending = this.#ending;
    const left = await endProcessSession(ending);
    reader.hurry();
    const isGone = !left.some(({ pid }) => pid === this.pid);
    // It rejects only with an error of `onOutput`, and the caller sees that on its own `exited`.
    if (isGone) await this.exited.catch(() => {});
    else stopWaitingForExit(this.pid);
    const survivors = new Map(left.map((stat) => [stat.pid, stat]));
    for (const stat of await findSurvivors(ending)) survivors.set(stat.pid, stat);
    this.#writer?.fail('the session was closed');
    reader.stop();
    this.#isReleased = true;
    this.#parts.release();
    // Its number may soon belong to another terminal.
    delete ending.file;
    this.#survivors = [...survivors.values()];
  }
}
