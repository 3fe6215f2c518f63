/**
 * Reads everything from a descriptor, including what Node's streams would lose.
 *
 * libuv ends a stream when it sees a hang-up after a short read, and reads of a terminal are always
 * short (at most 4 KiB). In this way up to 16 KiB of a program's last output are lost. So the
 * stream here reads a duplicate of the descriptor until libuv ends it. The rest is read from the
 * descriptor itself.
 *
 * The stream is used with `onread`, which has no queue: a chunk is delivered or still in the kernel.
 * Only if a chunk is too much work at once, its rest is kept here.
 */
import { readSync } from 'node:fs';
import { type OnReadOpts, Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { duplicateDescriptor, pipeCapacity } from '../descriptors.ts';
import { ownMemory, type ReadMemory } from './read-memory.ts';

/** An upper bound for what the kernel buffers for a terminal, and so for a program's unread output. */
const TERMINAL_BUFFER_BYTES = 256 * 1024;
/**
 * How much is read from a terminal in one turn of the event loop. libuv would read 128 KiB from
 * each terminal before it turns to the next one. While ten programs flood their terminals, output
 * of another one would be delayed by 100 ms.
 */
const BYTES_PER_TURN = 16 * 1024;
/** And for how long it is worked on: a few bytes can be much work. */
const MS_PER_TURN = 2;
/** What a closed program has left is read for this long. It would be seen by nobody. */
const MAX_HURRY_MS = 500;

/**
 * How often we read a terminal that was hung up and then opened again by its path. That is rare, so
 * its output need not be quick.
 */
const REOPEN_POLL_MS = 20;
const KEEP_ALIVE_MS = 60_000;

/** The bytes are valid only during the call. A callback that keeps them must copy them. */
export type OnOutput = (chunk: Buffer) => void;

export class TerminalReader {
  readonly #fd: number;
  readonly #stream: Socket;
  readonly #deliver: OnOutput;
  readonly #memory: ReadMemory;
  /** Resolves when no more output can come. */
  readonly ended: Promise<void>;
  #end = () => {};
  /** How much of a chunk is delivered at once. The rest follows, in a later turn if need be. */
  shareOf: (chunk: Buffer) => number = (chunk) => chunk.length;
  /** What was read, but not delivered yet. */
  #rest: Buffer | undefined;
  /** What was delivered in this turn of the event loop, and how long the work took. */
  #bytesThisTurn = 0;
  #msThisTurn = 0;
  #isInTurn = false;
  #isStarted = false;
  #isPaused = false;
  #hurriedAtMs = Number.POSITIVE_INFINITY;
  #isStopped = false;
  #onResume: (() => void)[] = [];

  constructor(fd: number, deliver: OnOutput, memory: ReadMemory = ownMemory) {
    if (typeof deliver !== 'function') throw new TypeError('onOutput must be a function.');
    this.#fd = fd;
    this.#deliver = deliver;
    this.#memory = memory;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#stream = openStream(duplicateDescriptor(fd), {
      buffer: () => memory.readBuffer('stream'),
      callback: (bytes) => {
        this.#give(memory.noteRead('stream', bytes));
        return !this.#isPaused && this.#mayReadOn();
      },
    });
    // Reading a terminal fails with EIO after its last program has ended.
    this.#stream.on('error', () => {});
    this.#stream.once('close', () => void this.#readTail());
  }

  /** Nothing is delivered before this call. */
  start(): void {
    this.#isStarted = true;
    if (!this.#isPaused) this.resume();
  }

  pause(): void {
    if (this.#isHurried) return;
    this.#isPaused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#isPaused = false;
    if (!this.#isStarted) return;
    if (this.#rest === undefined) this.#stream.resume();
    else this.#beginTurn();
    for (const resolve of this.#onResume.splice(0)) resolve();
  }

  /** Delivers what the kernel has buffered. That includes everything an ended program has written. */
  async settle(): Promise<void> {
    for (let left = pipeCapacity(this.#fd) ?? TERMINAL_BUFFER_BYTES; left > 0; ) {
      await this.#untilResumed();
      if (performance.now() > this.#hurriedAtMs + MAX_HURRY_MS) return;
      const bytes = this.#readOnce();
      if (typeof bytes === 'string') return;
      left -= bytes;
      if (!this.#mayReadOn()) await nextTurn();
    }
  }

  /** Ignores pauses from now on, because closing must not wait for a paused consumer. */
  hurry(): void {
    this.#hurriedAtMs = Math.min(this.#hurriedAtMs, performance.now());
    this.#isStarted = true;
    this.resume();
  }

  /** Stops reading. The caller must close the descriptor. */
  stop(): void {
    this.#isStopped = true;
    this.#stream.destroy();
    this.hurry();
  }

  get #isHurried(): boolean {
    return this.#hurriedAtMs < Number.POSITIVE_INFINITY;
  }

  /** What was read, but not delivered yet. */
  get rest(): Buffer | undefined {
    return this.#rest;
  }

  /** Delivers what was read, however long it takes. */
  giveRest(): void {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest !== undefined) this.#deliver(rest);
  }

  /** Delivers as much of what was read as there is time for in this turn. */
  #give(chunk: Buffer): void {
    if (!this.#isInTurn) this.#beginTurn();
    let left = chunk;
    while (left.length > 0 && this.#msThisTurn < MS_PER_TURN && !this.#isPaused) {
      const share = left.subarray(0, Math.max(1, this.shareOf(left)));
      left = left.subarray(share.length);
      // Whoever looks meanwhile must know that the program has printed more than what is delivered.
      this.#rest = left.length > 0 ? left : undefined;
      const startMs = performance.now();
      this.#deliver(share);
      this.#msThisTurn += performance.now() - startMs;
      this.#bytesThisTurn += share.length;
      // All of it is delivered, perhaps by `giveRest`.
      if (this.#rest === undefined) return;
    }
    // A copy, since the buffer is used for the next read.
    this.#rest = Buffer.from(left);
  }

  #beginTurn(): void {
    if (this.#isInTurn) return;
    this.#isInTurn = true;
    setImmediate(() => {
      const wasAtLimit = !this.#mayReadOn();
      this.#isInTurn = false;
      this.#bytesThisTurn = 0;
      this.#msThisTurn = 0;
      if (this.#isPaused || this.#isStopped) return;
      if (this.#rest !== undefined) this.#give(this.#rest);
      if (wasAtLimit && this.#mayReadOn() && !this.#stream.destroyed) this.#stream.resume();
    });
  }

  #mayReadOn(): boolean {
    return (
      this.#rest === undefined &&
      this.#bytesThisTurn < BYTES_PER_TURN &&
      this.#msThisTurn < MS_PER_TURN
    );
  }

  async #readTail(): Promise<void> {
    for (;;) {
      await this.#untilResumed();
      const bytes = this.#readOnce();
      if (bytes === 'end') return this.#end();
      if (bytes === 'empty') await delay(REOPEN_POLL_MS);
      else if (!this.#mayReadOn()) await nextTurn();
    }
  }

  #readOnce(): number | 'empty' | 'end' {
    if (this.#isStopped) return 'end';
    if (this.#rest !== undefined) return 0;
    let bytes: number;
    try {
      bytes = readSync(this.#fd, this.#memory.readBuffer('direct'));
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 'empty';
      if (code === 'EIO') return 'end';
      throw error;
    }
    if (bytes === 0) return 'end';
    this.#give(this.#memory.noteRead('direct', bytes));
    return bytes;
  }

  async #untilResumed(): Promise<void> {
    if (this.#isStarted && !this.#isPaused) return;
    // There is output to deliver, and nothing else may keep Node alive.
    const keepAlive = setInterval(() => {}, KEEP_ALIVE_MS);
    while (!this.#isStarted || this.#isPaused) {
      await new Promise<void>((resolve) => this.#onResume.push(resolve));
    }
    clearInterval(keepAlive);
  }
}

// Options that both constructors pass on to the handle, but that @types/node does not have.
type StreamOptions = {
  fd?: number;
  readable?: true;
  writable?: false;
  /** A Socket would start to read at once without this option. A tty.ReadStream does not. */
  manualStart?: true;
  onread: OnReadOpts;
};
const TtyStream = ReadStream as unknown as new (fd: number, options: StreamOptions) => Socket;
const PipeStream = Socket as unknown as new (options: StreamOptions) => Socket;

const openStream = (fd: number, onread: OnReadOpts): Socket =>
  isatty(fd)
    ? new TtyStream(fd, { onread })
    : new PipeStream({ fd, readable: true, writable: false, manualStart: true, onread });
