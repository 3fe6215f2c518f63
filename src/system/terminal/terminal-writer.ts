/**
 * Writes to a descriptor that takes little at a time, in order, without ever blocking.
 *
 * Not through a stream: libuv's write to a terminal that its program does not read has been seen to
 * stop Node for good.
 */
import { writeSync } from 'node:fs';
import { InputNotTaken } from '../../errors.ts';

/** Written in one turn of the event loop, so that a fast reader cannot keep us from everything else. */
const BYTES_PER_TURN = 64 * 1024;
/** Pauses while the program does not read: short at first, since most programs are about to. */
const FIRST_PAUSE_MS = 1;
const LONGEST_PAUSE_MS = 10;

interface Pending {
  bytes: Uint8Array;
  written: number;
  settle(error?: Error): void;
}

export class TerminalWriter {
  readonly #fd: number;
  readonly #queue: Pending[] = [];
  #pauseMs = FIRST_PAUSE_MS;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Settles when the terminal has taken all of it, and rejects if it never will. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => (error ? reject(error) : resolve());
      this.#queue.push({ bytes, written: 0, settle });
      if (this.#timer === undefined) this.#flush();
    });
  }

  /** Nothing more can be written, for this reason. */
  fail(reason: string): void {
    clearTimeout(this.#timer as NodeJS.Timeout);
    clearImmediate(this.#timer as NodeJS.Immediate);
    this.#timer = undefined;
    for (const { written, bytes, settle } of this.#queue.splice(0)) {
      settle(new InputNotTaken(written, bytes.length, reason));
    }
  }

  #flush(): void {
    this.#timer = undefined;
    for (let left = BYTES_PER_TURN; this.#queue[0]; ) {
      const first = this.#queue[0];
      if (first.written < first.bytes.length) {
        if (left <= 0) {
          this.#timer = setImmediate(() => this.#flush());
          return;
        }
        const taken = this.#tryWrite(first.bytes.subarray(first.written, first.written + left));
        if (taken === undefined) return;
        if (taken === 0) {
          this.#timer = setTimeout(() => this.#flush(), this.#pauseMs);
          this.#pauseMs = Math.min(this.#pauseMs * 2, LONGEST_PAUSE_MS);
          return;
        }
        this.#pauseMs = FIRST_PAUSE_MS;
        first.written += taken;
        left -= taken;
      }
      if (first.written === first.bytes.length) {
        this.#queue.shift();
        first.settle();
      }
    }
  }

  /** How much was taken; undefined where the other side is gone and the queue with it. */
  #tryWrite(bytes: Uint8Array): number | undefined {
    try {
      return writeSync(this.#fd, bytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'EAGAIN') return 0;
      if (code !== 'EPIPE' && code !== 'EIO') throw error;
      this.fail('the program has closed its input');
      return undefined;
    }
  }
}
