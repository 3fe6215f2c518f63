/**
 * Output that the agent has not read: all of it, or where there is too much of it, how it began and
 * how it ends. What was between them is counted, and the text says so at that place.
 */
import { unfinishedCharacter } from '../screen/utf8.ts';
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
    const last = tail.length > 0 ? tail : head;
    const isLast = isAll && head.length + tail.length === this.size;
    const begun = isLast || (tail.length === 0 && omitted > 0) ? 0 : unfinishedCharacter(last);
    const ends = (part: Buffer) => (part === last ? part.length - begun : part.length);
    this.#head.drop(ends(head));
    this.#tail.drop(ends(tail));
    if (reachesTail) this.#omitted = 0;
    return {
      text:
        head.toString('utf8', 0, ends(head)) +
        (omitted > 0 ? omission(omitted) : '') +
        tail.toString('utf8', 0, ends(tail)),
      bytes: ends(head) + omitted + ends(tail),
      omitted,
    };
  }
}

export const omission = (bytes: number): string => `\n... ${bytes} bytes omitted ...\n`;
