/**
 * Output the agent has not read yet. If there is too much of it, only its beginning and its end are
 * kept. The bytes dropped between them are counted, and a marker in the text stands for them.
 */
import { unfinishedCharacterBytes } from '../../screen/sequences/utf8.ts';
import { ByteQueue } from './byte-queue.ts';

export interface TakenUnreadOutput {
  text: string;
  /** Bytes produced, including those that were dropped. */
  bytes: number;
  /** Bytes that were dropped. */
  omitted: number;
}

export interface TakeUnreadOptions {
  /** Take no more than this. @default all */
  maxBytes?: number;
  /** No output will follow, so an incomplete character at the end is taken as well. */
  isFinal?: boolean;
}

export class UnreadOutput {
  readonly #headBytes: number;
  readonly #tailBytes: number;
  readonly #head = new ByteQueue();
  readonly #tail = new ByteQueue();
  #omitted = 0;

  /** Half of `maxBytes` is for the beginning, half for the end. */
  constructor(maxBytes: number) {
    this.#headBytes = Math.floor(maxBytes / 2);
    this.#tailBytes = maxBytes - this.#headBytes;
  }

  get size(): number {
    return this.#head.size + this.#tail.size;
  }

  push(bytes: Uint8Array): void {
    const isHeadClosed = this.#tail.size > 0 || this.#omitted > 0;
    const headRoom = isHeadClosed ? 0 : this.#headBytes - this.#head.size;
    this.#head.push(bytes.subarray(0, headRoom));
    this.#tail.push(bytes.subarray(headRoom));
    const excess = this.#tail.size - this.#tailBytes;
    if (excess <= 0) return;
    this.#tail.drop(excess);
    this.#omitted += excess;
  }

  take({
    maxBytes = Number.POSITIVE_INFINITY,
    isFinal = false,
  }: TakeUnreadOptions = {}): TakenUnreadOutput {
    const head = this.#head.slice(0, maxBytes);
    const reachesTail = head.length === this.#head.size;
    const omitted = reachesTail ? this.#omitted : 0;
    const tail = reachesTail ? this.#tail.slice(0, maxBytes - head.length) : Buffer.alloc(0);
    // If nothing was dropped between them, a character may start in one and end in the other.
    const joined = omitted > 0 ? tail : Buffer.concat([head, tail]);
    const isLast = isFinal && head.length + tail.length === this.size;
    const incomplete = isLast ? 0 : unfinishedCharacterBytes(joined);
    const bytes = head.length + tail.length - incomplete;
    this.#head.drop(Math.min(head.length, bytes));
    this.#tail.drop(Math.max(0, bytes - head.length));
    if (reachesTail) this.#omitted = 0;
    const text = joined.subarray(0, joined.length - incomplete).toString();
    return {
      text: omitted > 0 ? `${head.toString()}${omittedBytesMarker(omitted)}${text}` : text,
      bytes: bytes + omitted,
      omitted,
    };
  }
}

export const omittedBytesMarker = (bytes: number): string => `\n... ${bytes} bytes omitted ...\n`;
