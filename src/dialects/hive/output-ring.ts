/**
 * The newest output by position, and which of it was returned to the agent.
 *
 * A position is the number of bytes before it. Output is not always returned oldest first: a command's
 * own output is returned before that of an earlier command that timed out.
 */
import { unfinishedCharacterBytes } from '../../screen/sequences/utf8.ts';
import { ByteQueue } from '../shared/byte-queue.ts';

export interface RingSpan {
  from: number;
  to: number;
}

export class OutputRing {
  readonly #maxBytes: number;
  readonly #bytes = new ByteQueue();
  #start = 0;
  /** Not returned, though later output was. */
  #skipped: RingSpan[] = [];
  /** Nothing after this position was returned. */
  #returnedEnd = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get end(): number {
    return this.#start + this.#bytes.size;
  }

  /** The end, without an incomplete character. */
  get completeEnd(): number {
    return this.end - unfinishedCharacterBytes(this.slice(this.end - 3, this.end));
  }

  push(bytes: Uint8Array): void {
    this.#bytes.push(bytes);
    const excess = this.#bytes.size - this.#maxBytes;
    if (excess <= 0) return;
    this.#bytes.drop(excess);
    this.#start += excess;
  }

  /** The part of this span that is still kept. */
  slice(from: number, to: number): Buffer {
    return this.#bytes.slice(from - this.#start, to - this.#start);
  }

  endsWith(text: string): boolean {
    return this.slice(this.end - text.length, this.end).toString() === text;
  }

  markReturned({ from, to }: RingSpan): void {
    if (from > this.#returnedEnd) this.#skipped.push({ from: this.#returnedEnd, to: from });
    this.#returnedEnd = Math.max(this.#returnedEnd, to);
  }

  /** What was not returned and is still kept, oldest first. */
  get unreturned(): RingSpan[] {
    return [...this.#skipped, { from: this.#returnedEnd, to: this.completeEnd }]
      .map(({ from, to }) => ({ from: Math.max(from, this.#start), to }))
      .filter(({ from, to }) => from < to);
  }

  /** Returns the oldest output that was not returned yet, and marks it as returned. */
  take(maxBytes: number): { bytes: Buffer; span: RingSpan; more: boolean } {
    const spans = this.unreturned;
    const parts: Buffer[] = [];
    let room = maxBytes;
    let to = this.#returnedEnd;
    for (const span of spans) {
      const part = this.slice(span.from, Math.min(span.to, span.from + room));
      const incomplete = part.length < span.to - span.from ? unfinishedCharacterBytes(part) : 0;
      parts.push(part.subarray(0, part.length - incomplete));
      room -= part.length;
      to = span.from + part.length - incomplete;
      if (room <= 0) break;
    }
    this.#markReturnedUpTo(to);
    const from = spans[0]?.from ?? to;
    return { bytes: Buffer.concat(parts), span: { from, to }, more: this.unreturned.length > 0 };
  }

  #markReturnedUpTo(position: number): void {
    this.#skipped = this.#skipped
      .map((span) => ({ ...span, from: Math.max(span.from, position) }))
      .filter((span) => span.from < span.to);
    this.#returnedEnd = Math.max(this.#returnedEnd, position);
  }
}
