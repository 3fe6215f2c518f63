/**
 * Passes bytes to and from a program, through a terminal or through pipes.
 *
 * A channel does not interpret the bytes. Output is delivered completely and in order. The exit is
 * reported after everything the program itself has written. Background jobs of the program may still
 * write after that.
 */

import { randomUUID } from 'node:crypto';
import { InputClosed, ProgramExited, UnusableNumber } from '../../errors.ts';
import type { OpenFileId } from '../proc/descriptor-info.ts';
import { type ProcessStat, readProcessStat } from '../proc/process-stat.ts';
import { describeExit } from '../process/describe-exit.ts';
import {
  endProcessSession,
  findSurvivors,
  killSurvivors,
  type ProcessSessionEnding,
} from '../process/end-process-session.ts';
import type { ProgramRequest } from '../process/locate-program.ts';
import { forgetSession, rememberSession } from '../process/possible-starters.ts';
import { processesOfSession } from '../process/process-tree.ts';
import { type Exit, type ExitNote, onProcessExit, stopWaitingForExit } from '../process/reaper.ts';
import { sessionMarkOf } from '../process/session-mark.ts';
import { SESSION_VARIABLE } from '../process/session-variable.ts';
import { sendSignal, signalName, signalNumber } from '../process/signals.ts';
import { endSandbox, SandboxedProgram } from './sandboxed-program.ts';
import type { CloseOptions, CloseResult } from './terminal.ts';
import type { TerminalReader } from './terminal-reader.ts';
import { TerminalWriter } from './terminal-writer.ts';

/** The parts that a channel is made of. */
export interface ChannelParts {
  pid: number;
  /** Made before the program is started: if that fails, there is no program to end. */
  reader: TerminalReader;
  /** The descriptor to write to. Absent if the program's input is closed. */
  input?: number;
  /** Called when the program has exited and all it wrote has been read. */
  afterExit?(): void;
  /** Closes the descriptors. */
  release(): void;
  /** The value of REPARTEE_SESSION in the program's environment. */
  sessionToken: string;
  /** How the program ended, if it has: only its parent could learn it. */
  exit?: Exit;
  /** Where it is noted how the program ended. */
  exitNote?: ExitNote;
  /** When it started, if another process has started it: by now its pid may belong to another one. */
  startTime?: number;
  /** The leader is a sandbox, which has started the program. */
  isSandbox?: boolean;
  /** The terminal or output pipe, by which we recognise processes that hold it. */
  file: OpenFileId;
}

/** Adds REPARTEE_SESSION, with a new token, to a program's environment. */
export const withSessionVariable = (
  env: ProgramRequest['env'],
): { sessionToken: string; env: ProgramRequest['env'] } => {
  const sessionToken = randomUUID();
  return { sessionToken, env: { ...env, [SESSION_VARIABLE]: sessionToken } };
};

export class Channel {
  readonly pid: number;
  /** When the program started, in clock ticks since boot. */
  readonly startTime: number;
  /** The value of REPARTEE_SESSION in the program's environment. */
  readonly mark: string;
  /** Resolves to how the program ended, after everything it wrote has been delivered. */
  readonly exited: Promise<Exit>;
  /** Resolves when no more output can come, because every process that could write is gone. */
  readonly ended: Promise<void>;
  readonly isSandbox: boolean;
  readonly #sandboxed: SandboxedProgram | undefined;
  #exit: Exit | undefined;
  #closed: Promise<void> | undefined;
  #survivors: readonly ProcessStat[] = [];
  #isReleased = false;
  readonly #parts: ChannelParts;
  readonly #ending: ProcessSessionEnding;
  readonly #writer: TerminalWriter | undefined;
  #refusesInput = false;

  constructor(parts: ChannelParts) {
    const { pid, reader, input, sessionToken, file } = parts;
    this.pid = pid;
    this.mark = sessionToken;
    this.#parts = parts;
    this.startTime = parts.startTime ?? readProcessStat(pid)?.startTime ?? 0;
    this.#ending = {
      sid: pid,
      startTime: this.startTime,
      sessionToken,
      mark: sessionMarkOf(sessionToken),
      file,
      killAtMs: Number.POSITIVE_INFINITY,
      leavers: [],
    };
    rememberSession(this.#ending);
    this.isSandbox = parts.isSandbox === true;
    this.#sandboxed = this.isSandbox ? new SandboxedProgram(pid) : undefined;
    this.#writer = input === undefined ? undefined : new TerminalWriter(input);
    this.ended = reader.ended;
    this.exited = new Promise((resolve) => {
      if (parts.exit !== undefined) resolve(this.#afterExit(parts.exit));
      else onProcessExit(pid, (exit) => resolve(this.#afterExit(exit)), parts.exitNote);
    });
    // We do not start at once, because the caller must have the channel before the first output.
    setImmediate(() => reader.start());
  }

  get programPid(): number {
    return this.#sandboxed?.pid ?? this.pid;
  }

  /** How the program ended. Undefined while it runs. */
  get exit(): Exit | undefined {
    return this.#exit;
  }

  /** Resolves when the terminal or pipe has taken all bytes. Earlier writes are completed first. */
  async write(bytes: Uint8Array | string): Promise<void> {
    if (typeof bytes !== 'string' && !(bytes instanceof Uint8Array)) {
      throw new TypeError(`Only a string or a Uint8Array can be written, not ${typeof bytes}.`);
    }
    this.assertRunning('written to');
    if (this.#writer === undefined || this.#refusesInput) throw new InputClosed();
    await this.#writer.write(typeof bytes === 'string' ? Buffer.from(bytes) : bytes);
  }

  /** Delivers no more at once than `shareOf` says of a chunk. The rest follows, in a later turn if need be. */
  limitWork(shareOf: (chunk: Buffer) => number): void {
    this.#parts.reader.shareOf = shareOf;
  }

  /** Stops delivering output. The program blocks when the kernel's buffer is full. */
  pause(): void {
    this.#parts.reader.pause();
  }

  resume(): void {
    this.#parts.reader.resume();
  }

  /** Signals every process of the session, including background jobs. */
  async signalSession(name: string): Promise<void> {
    signalNumber(name);
    this.assertRunning('sent a signal');
    const stats = await processesOfSession(this.programPid);
    sendSignal(
      name,
      stats.map(({ pid }) => pid),
    );
  }

  /**
   * Ends the program and all processes of its session. A second call has the same result, unless it
   * asks for a shorter grace period or for force.
   */
  async close({ force = false, graceMs = 1000, signal }: CloseOptions = {}): Promise<CloseResult> {
    if (!(Number.isFinite(graceMs) && graceMs >= 0))
      throw new UnusableNumber('graceMs', graceMs, 'milliseconds from 0');
    const endSignal = signal === undefined ? undefined : signalName(signalNumber(signal));
    const ending = this.#ending;
    if (endSignal !== undefined) ending.signal ??= endSignal;
    ending.killAtMs = Math.min(ending.killAtMs, performance.now() + graceMs);
    if (force) ending.isForced = true;
    this.#closed ??= this.#close();
    try {
      await this.#closed;
    } catch (error) {
      this.#closed = undefined;
      throw error;
    }
    if (force && this.#survivors.length > 0) this.#survivors = await killSurvivors(ending);
    if (this.#survivors.length === 0) forgetSession(ending);
    return { survivors: this.#survivors.map(({ pid, name }) => ({ pid, name })) };
  }

  /** Whether the descriptors are closed. Then their numbers may belong to other files. */
  protected get isReleased(): boolean {
    return this.#isReleased;
  }

  /** Whether output was read that `onOutput` has not received yet. */
  protected get hasUndelivered(): boolean {
    return this.undelivered !== undefined;
  }

  /** Output that was read, and that `onOutput` has not received yet. */
  get undelivered(): Buffer | undefined {
    return this.#parts.reader.rest;
  }

  protected deliverRest(): void {
    this.#parts.reader.giveRest();
  }

  /** Makes later writes fail. Earlier writes are still completed. */
  protected refuseInput(): void {
    this.#refusesInput = true;
  }

  protected assertRunning(attempt: string): void {
    if (this.#closed !== undefined) throw new ProgramExited(attempt, 'its session was closed');
    if (this.#exit !== undefined) throw new ProgramExited(attempt, describeExit(this.#exit));
  }

  async #afterExit(exit: Exit): Promise<Exit> {
    await this.#parts.reader.settle();
    const ended = this.#sandboxed?.exitOf(exit) ?? exit;
    this.#exit = ended;
    this.#writer?.fail(`the program has ended (${describeExit(ended)})`);
    this.#parts.afterExit?.();
    return ended;
  }

  async #close(): Promise<void> {
    const { reader } = this.#parts;
    const ending = this.#ending;
    if (this.isSandbox) await endSandbox(ending, this.programPid);
    const notEnded = await endProcessSession(ending);
    reader.hurry();
    const isGone = !notEnded.some(({ pid }) => pid === this.pid);
    // `exited` rejects only with an error that `onOutput` has thrown. The caller gets it from
    // `exited`.
    if (isGone) await this.exited.catch(() => {});
    else stopWaitingForExit(this.pid);
    // The leader cannot be ended, or one of its session.
    ending.leavers.push(...notEnded);
    this.#survivors = await findSurvivors(ending);
    this.#writer?.fail('the session was closed');
    reader.stop();
    this.#isReleased = true;
    this.#parts.release();
    // The number of the closed terminal may soon belong to another one.
    delete ending.file;
    ending.isClosed = true;
  }
}
