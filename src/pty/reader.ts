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
import { duplicate } from './descriptors.ts';

/** More than a terminal or a pipe of default size holds; what an ended program left is in here. */
const KERNEL_HOLDS = 256 * 1024;
/** Read in one turn of the event loop once there is no stream to pace us. */
const BYTES_PER_TURN = 64 * 1024;
const SLAB_BYTES = 64 * 1024;
/** The most that one read of a terminal returns. */
const READ_BYTES = 4096;
/** A hung-up terminal that somebody opened again by its name: rare, so asked in no hurry. */
const REOPENED_MS = 20;

export type OnOutput = (chunk: Buffer) => void;

export class Reader {
  readonly #fd: number;
  readonly #stream: Socket;
  readonly #deliver: OnOutput;
  /** Resolves when nothing will ever come again. */
  readonly ended: Promise<void>;
  #end = () => {};
  /** Chunks are cut from one piece of memory after another; none is written to twice. */
  #slab = Buffer.alloc(0);
  #paused = false;
  #stopped = false;
  #onResume: (() => void)[] = [];

  constructor(fd: number, deliver: OnOutput) {
    this.#fd = fd;
    this.#deliver = deliver;
    this.ended = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#stream = openStream(duplicate(fd), {
      buffer: () => this.#room(),
      callback: (bytes) => {
        const chunk = this.#slab.subarray(0, bytes);
        this.#slab = this.#slab.subarray(bytes);
        this.#deliver(chunk);
        return !this.#paused;
      },
    });
    // EIO is how a terminal says that its last program is gone.
    this.#stream.on('error', () => {});
    this.#stream.once('close', () => void this.#readTail());
    this.#stream.resume();
  }

  pause(): void {
    this.#paused = true;
    this.#stream.pause();
  }

  resume(): void {
    this.#paused = false;
    this.#stream.resume();
    for (const go of this.#onResume.splice(0)) go();
  }

  /** Delivers what is in the kernel now, which includes all that an ended program has written. */
  async settle(): Promise<void> {
    for (let left = KERNEL_HOLDS; left > 0; ) {
      await this.#flowing();
      const bytes = this.#readOnce();
      if (typeof bytes === 'string') return;
      left -= bytes;
    }
  }

  /** Reads no more. The descriptor is the caller's to close. */
  stop(): void {
    this.#stopped = true;
    this.#stream.destroy();
    this.resume();
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
    if (this.#stopped) return 'end';
    const chunk = Buffer.allocUnsafe(READ_BYTES);
    try {
      const bytes = readSync(this.#fd, chunk);
      if (bytes === 0) return 'end';
      this.#deliver(chunk.subarray(0, bytes));
      return bytes;
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 'empty';
      if (code === 'EIO') return 'end';
      throw error;
    }
  }

  async #flowing(): Promise<void> {
    while (this.#paused) await new Promise<void>((resolve) => this.#onResume.push(resolve));
  }

  #room(): Buffer {
    if (this.#slab.length < READ_BYTES) this.#slab = Buffer.allocUnsafeSlow(SLAB_BYTES);
    return this.#slab;
  }
}

// @types/node does not know that both pass `onread` on to the handle.
type StreamOptions = { fd?: number; readable?: true; writable?: false; onread: OnReadOpts };
const TtyStream = ReadStream as unknown as new (fd: number, options: StreamOptions) => Socket;
const PipeStream = Socket as unknown as new (options: StreamOptions) => Socket;

const openStream = (fd: number, onread: OnReadOpts): Socket =>
  isatty(fd)
    ? new TtyStream(fd, { onread })
    : new PipeStream({ fd, readable: true, writable: false, onread });
