/**
 * Writes to a terminal or pipe, which may take only a few bytes at a time. It never blocks.
 *
 * We do not use a stream. If the program does not read its terminal, libuv's write has been seen to
 * block Node for ever.
 */
import { writeSync } from 'node:fs';
import { InputNotTaken } from '../../errors.ts';

/** The limit for one turn of the event loop, so that a fast reader does not block everything else. */
const BYTES_PER_TURN = 64 * 1024;
/** The pauses while the program does not read. The first is short, because most programs read soon. */
const MIN_PAUSE_MS = 1;
const MAX_PAUSE_MS = 10;

interface Pending {
  bytes: Uint8Array;
  written: number;
  settle(error?: Error): void;
}

export class TerminalWriter {
  readonly #fd: number;
  readonly #queue: Pending[] = [];
  #pauseMs = MIN_PAUSE_MS;
  #timer: NodeJS.Timeout | NodeJS.Immediate | undefined;

  constructor(fd: number) {
    this.#fd = fd;
  }

  /** Resolves when the terminal has taken all bytes, and rejects if it never will. */
  write(bytes: Uint8Array): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = (error?: Error) => (error ? reject(error) : resolve());
      this.#queue.push({ bytes, written: 0, settle });
      if (this.#timer === undefined) this.#flush();
    });
  }

  /** Rejects all writes that are not completed, for this reason. */
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
          this.#pauseMs = Math.min(this.#pauseMs * 2, MAX_PAUSE_MS);
          return;
        }
        this.#pauseMs = MIN_PAUSE_MS;
        first.written += taken;
        left -= taken;
      }
      if (first.written === first.bytes.length) {
        this.#queue.shift();
        first.settle();
      }
    }
  }

  /** How many bytes were taken. Undefined if the program is gone; then all queued writes failed. */
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
