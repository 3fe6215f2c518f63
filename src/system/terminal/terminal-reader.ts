/**
 * Reads everything from a descriptor, also what Node's streams would lose.
 *
 * libuv ends a stream when it sees a hang-up after a short read, and reads of a terminal are always
 * short (at most 4 KiB): up to 16 KiB of a program's last words are lost that way. So the stream here
 * works on a duplicate, and serves only to read while there is no end in sight; whatever it leaves
 * behind is read from our own descriptor.
 *
 * The stream is used with `onread`, which has no queue: a chunk is delivered or still in the kernel.
 */
import { readSync } from 'node:fs';
import { type OnReadOpts, Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextTurn } from 'node:timers/promises';
import { isatty, ReadStream } from 'node:tty';
import { duplicateDescriptor, pipeCapacity } from '../descriptors.ts';

/** More than a terminal holds: all that an ended program has left is within. */
const TERMINAL_HOLDS = 256 * 1024;
/**
 * Read in one turn of the event loop. libuv would take 128 KiB from each terminal before it looks at
 * the next one: beside ten floods an answer elsewhere would wait 100 ms to be seen.
 */
const BYTES_PER_TURN = 16 * 1024;

/**
 * All that is read, from whatever terminal, is read into this and delivered before the next read: a
 * buffer for each would be 64 MB for a thousand sessions, and a new one for each read 40 MB of garbage
 * in a flood.
 */
const page = Buffer.allocUnsafeSlow(64 * 1024);

/** A hung-up terminal that somebody opened again by its name: rare, so asked in no hurry. */
const REOPENED_MS = 20;
const KEEP_ALIVE_MS = 60_000;

/** The bytes are there only during the call: what is to be kept must be copied. */
export type OnOutput = (chunk: Buffer) => void;

export class TerminalReader {
  readonly #fd: number;
  readonly #stream: Socket;
  readonly #deliver: OnOutput;
  /** Resolves when nothing will ever come again. */
  readonly ended: Promise<void>;
  #end = () => {};
  /** Read in this turn; 0 before the first byte of it. */
  #thisTurn = 0;
  #isStarted = false;
  #isPaused = false;
  #isHurried = false;
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
      buffer: page,
      callback: (bytes) => {
        this.#deliver(page.subarray(0, bytes));
        return !this.#isPaused && this.#mayReadOn(bytes);
      },
    });
    // EIO is how a terminal says that its last program is gone.
    this.#stream.on('error', () => {});
    this.#stream.once('close', () => void this.#readTail());
  }

  /** Nothing is delivered before. */
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
    for (const go of this.#onResume.splice(0)) go();
  }

  /** Delivers what is in the kernel now, which includes all that an ended program has written. */
  async settle(): Promise<void> {
    for (let left = pipeCapacity(this.#fd) ?? TERMINAL_HOLDS; left > 0; ) {
      await this.#flowing();
      const bytes = this.#readOnce();
      if (typeof bytes === 'string') return;
      left -= bytes;
    }
  }

  /** From now on pauses are ignored: closing must not wait for a consumer that wants nothing. */
  hurry(): void {
    this.#isHurried = true;
    this.#isStarted = true;
    this.resume();
  }

  /** Reads no more. The descriptor is the caller's to close. */
  stop(): void {
    this.#isStopped = true;
    this.#stream.destroy();
    this.hurry();
  }

  #mayReadOn(bytes: number): boolean {
    if (this.#thisTurn === 0) {
      setImmediate(() => {
        const wasHeld = this.#thisTurn >= BYTES_PER_TURN;
        this.#thisTurn = 0;
        if (wasHeld && !this.#isPaused) this.#stream.resume();
      });
    }
    this.#thisTurn += bytes;
    return this.#thisTurn < BYTES_PER_TURN;
  }

  async #readTail(): Promise<void> {
    for (let left = BYTES_PER_TURN; ; ) {
      await this.#flowing();
      const bytes = this.#readOnce();
      if (bytes === 'end') return this.#end();
      if (bytes === 'empty') await delay(REOPENED_MS);
      else left -= bytes;
      if (left <= 0) {
        await nextTurn();
        left = BYTES_PER_TURN;
      }
    }
  }

  #readOnce(): number | 'empty' | 'end' {
    if (this.#isStopped) return 'end';
    let bytes: number;
    try {
      bytes = readSync(this.#fd, page);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 'empty';
      if (code === 'EIO') return 'end';
      throw error;
    }
    if (bytes === 0) return 'end';
    this.#deliver(page.subarray(0, bytes));
    return bytes;
  }

  async #flowing(): Promise<void> {
    if (this.#isStarted && !this.#isPaused) return;
    // Nothing else may be left to keep Node alive, and there is output to deliver.
    const keepAlive = setInterval(() => {}, KEEP_ALIVE_MS);
    while (!this.#isStarted || this.#isPaused) {
      await new Promise<void>((resolve) => this.#onResume.push(resolve));
    }
    clearInterval(keepAlive);
  }
}

// @types/node does not know what both pass on to the handle.
type StreamOptions = {
  fd?: number;
  readable?: true;
  writable?: false;
  /** Otherwise it reads before anybody asks it to. A terminal's does not. */
  manualStart?: true;
  onread: OnReadOpts;
};
const TtyStream = ReadStream as unknown as new (fd: number, options: StreamOptions) => Socket;
const PipeStream = Socket as unknown as new (options: StreamOptions) => Socket;

const openStream = (fd: number, onread: OnReadOpts): Socket =>
  isatty(fd)
    ? new TtyStream(fd, { onread })
    : new PipeStream({ fd, readable: true, writable: false, manualStart: true, onread });
