/**
 * Reads everything from a descriptor, including what Node's streams would lose.
 *
 * libuv ends a stream when it sees a hang-up after a short read, and reads of a terminal are always
 * short (at most 4 KiB). In this way up to 16 KiB of a program's last output are lost. So the
 * stream here reads a duplicate of the descriptor until libuv ends it. The rest is read from the
 * descriptor itself.
 *
 * The stream is used with `onread`, which has no queue: a chunk is delivered or still in the kernel.
 */
import { readSync } from 'node:fs';
import { type OnReadOpts, Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { duplicateDescriptor, pipeCapacity } from '../descriptors.ts';

/** An upper bound for what the kernel buffers for a terminal, and so for a program's unread output. */
const TERMINAL_BUFFER_BYTES = 256 * 1024;
/**
 * How much is read from a terminal in one turn of the event loop. libuv would read 128 KiB from
 * each terminal before it turns to the next one. While ten programs flood their terminals, output
 * of another one would be delayed by 100 ms.
 */
const BYTES_PER_TURN = 16 * 1024;
/**
 * A few bytes can be much work: four of them clear a screen of a million cells. So a chunk is as long as
 * was last taken in this time, and not much longer than this is read in one turn.
 */
const CHUNK_MS = 1;
const MS_PER_TURN = 4;
const MIN_CHUNK_BYTES = 8;
/** What a closed program has left is read for this long. It would be seen by nobody. */
const MAX_HURRY_MS = 500;

/**
 * All terminals are read into this one buffer, and each chunk is delivered before the next read. A
 * buffer for each of a thousand sessions would take 64 MB. A new buffer for each read would leave
 * 40 MB of garbage in a flood.
 */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

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
  /** Resolves when no more output can come. */
  readonly ended: Promise<void>;
  #end = () => {};
  #chunkBytes = readBuffer.length;
  /** What was read in this turn of the event loop, and how long the work took. */
  #bytesThisTurn = 0;
  #msThisTurn = 0;
  #isStarted = false;
  #isPaused = false;
  #hurriedAtMs = Number.POSITIVE_INFINITY;
  #isStopped = false;
  #onResume: (() => void)[] = [];

  constructor(fd: number, deliver: OnOutput) {
    if (typeof deliver !== 'function') throw new TypeError('onOutput must be a function.');
    this.#fd = fd;
    this.#deliver = deliver;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#stream = openStream(duplicateDescriptor(fd), {
      buffer: () => this.#chunk,
      callback: (bytes) => {
        this.#give(bytes);
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
    this.#stream.resume();
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
      await this.#shareTurn();
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

  /** Where the next chunk is read to. */
  get #chunk(): Buffer {
    return readBuffer.subarray(0, this.#chunkBytes);
  }

  #give(bytes: number): void {
    const startMs = performance.now();
    this.#deliver(readBuffer.subarray(0, bytes));
    const tookMs = performance.now() - startMs;
    if (this.#bytesThisTurn === 0) this.#beginTurn();
    this.#bytesThisTurn += bytes;
    this.#msThisTurn += tookMs;
    const fitting = tookMs > CHUNK_MS ? bytes * (CHUNK_MS / tookMs) : this.#chunkBytes * 2;
    this.#chunkBytes = Math.min(readBuffer.length, Math.max(MIN_CHUNK_BYTES, Math.floor(fitting)));
  }

  #beginTurn(): void {
    setImmediate(() => {
      const wasAtLimit = !this.#mayReadOn();
      this.#bytesThisTurn = 0;
      this.#msThisTurn = 0;
      if (wasAtLimit && !this.#isPaused && !this.#stream.destroyed) this.#stream.resume();
    });
  }

  #mayReadOn(): boolean {
    return this.#bytesThisTurn < BYTES_PER_TURN && this.#msThisTurn < MS_PER_TURN;
  }

  async #shareTurn(): Promise<void> {
    if (!this.#mayReadOn()) await nextTurn();
  }

  async #readTail(): Promise<void> {
    for (;;) {
      await this.#untilResumed();
      const bytes = this.#readOnce();
      if (bytes === 'end') return this.#end();
      if (bytes === 'empty') await delay(REOPEN_POLL_MS);
      else await this.#shareTurn();
    }
  }

  #readOnce(): number | 'empty' | 'end' {
    if (this.#isStopped) return 'end';
    let bytes: number;
    try {
      bytes = readSync(this.#fd, this.#chunk);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 'empty';
      if (code === 'EIO') return 'end';
      throw error;
    }
    if (bytes === 0) return 'end';
    this.#give(bytes);
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
