/**
 * Output that the agent has not read: all of it, or where there is too much of it, how it began and
 * how it ends. What was between them is counted, and the text says so at that place.
 */
import { unfinishedCharacter } from '../../screen/sequences/utf8.ts';
import { ByteQueue } from './byte-queue.ts';

export interface Taken {
  text: string;
  /** Bytes that came, also those that were not kept. */
  bytes: number;
  /** Bytes that were not kept. */
  omitted: number;
}

export interface TakeOptions {
  /** Take no more than this. @default all */
  maxBytes?: number;
  /** Nothing will follow: a character that has only begun is taken as well. */
  isAll?: boolean;
}

export class Unread {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head = new ByteQueue();
  readonly #tail = new ByteQueue();
  #omitted = 0;

  /** Keeps one half from the beginning and the other from the end. */
  constructor(maxBytes: number) {
    this.#headBytes = Math.floor(maxBytes / 2);
    this.#tailBytes = maxBytes - this.#headBytes;
  }

  get size(): number {
    return this.#head.size + this.#tail.size;
  }

  push(bytes: Uint8Array): void {
    const isBehind = this.#tail.size > 0 || this.#omitted > 0;
    const room = isBehind ? 0 : this.#headBytes - this.#head.size;
    this.#head.push(bytes.subarray(0, room));
    this.#tail.push(bytes.subarray(room));
    const excess = this.#tail.size - this.#tailBytes;
    if (excess <= 0) return;
    this.#tail.drop(excess);
    this.#omitted += excess;
  }

  take({ maxBytes = Number.POSITIVE_INFINITY, isAll = false }: TakeOptions = {}): Taken {
    const head = this.#head.slice(0, maxBytes);
    const reachesTail = head.length === this.#head.size;
    const omitted = reachesTail ? this.#omitted : 0;
    const tail = reachesTail ? this.#tail.slice(0, maxBytes - head.length) : Buffer.alloc(0);
    // Where nothing is lost between them a character may begin in one and end in the other.
    const joined = omitted > 0 ? tail : Buffer.concat([head, tail]);
    const isLast = isAll && head.length + tail.length === this.size;
    const begun = isLast ? 0 : unfinishedCharacter(joined);
    const whole = joined.subarray(0, joined.length - begun);
    const bytes = head.length + tail.length - begun;
    this.#head.drop(Math.min(head.length, bytes));
    this.#tail.drop(Math.max(0, bytes - head.length));
    if (reachesTail) this.#omitted = 0;
    const text = whole.toString();
    return {
      text: omitted > 0 ? `${head.toString()}${omission(omitted)}${text}` : text,
      bytes: bytes + omitted,
      omitted,
    };
  }
}

export const omission = (bytes: number): string => `\n... ${bytes} bytes omitted ...\n`;
