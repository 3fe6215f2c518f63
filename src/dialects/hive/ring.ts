/**
 * The newest output by position, and what of it the agent has been given.
 *
 * A position is the number of bytes that came before. What was given need not be the oldest: a
 * command's own output is given before that of an earlier command which it has overtaken.
 */
import { unfinishedCharacter } from '../../screen/sequences/utf8.ts';
import { ByteQueue } from '../shared/byte-queue.ts';

export interface RingSpan {
  from: number;
  to: number;
}

export class OutputRing {
  readonly #maxBytes: number;
  readonly #bytes = new ByteQueue();
  #start = 0;
  /** What was passed over, and then all that follows. */
  #skipped: RingSpan[] = [];
  #given = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get end(): number {
    return this.#start + this.#bytes.size;
  }

  /** The end, before a character that has only begun. */
  get wholeEnd(): number {
    return this.end - unfinishedCharacter(this.slice(this.end - 3, this.end));
  }

  push(bytes: Uint8Array): void {
    this.#bytes.push(bytes);
    const excess = this.#bytes.size - this.#maxBytes;
    if (excess <= 0) return;
    this.#bytes.drop(excess);
    this.#start += excess;
  }

  /** What is kept of it. */
  slice(from: number, to: number): Buffer {
    return this.#bytes.slice(from - this.#start, to - this.#start);
  }

  endsWith(text: string): boolean {
    return this.slice(this.end - text.length, this.end).toString() === text;
  }

  give({ from, to }: RingSpan): void {
    if (from > this.#given) this.#skipped.push({ from: this.#given, to: from });
    this.#given = Math.max(this.#given, to);
  }

  /** What has not been given and is still kept, oldest first. */
  get ungiven(): RingSpan[] {
    return [...this.#skipped, { from: this.#given, to: this.wholeEnd }]
      .map(({ from, to }) => ({ from: Math.max(from, this.#start), to }))
      .filter(({ from, to }) => from < to);
  }

  /** The oldest that has not been given, which thereby is. */
  take(maxBytes: number): { bytes: Buffer; span: RingSpan; more: boolean } {
    const all = this.ungiven;
    const parts: Buffer[] = [];
    let left = maxBytes;
    let to = this.#given;
    for (const span of all) {
      const part = this.slice(span.from, Math.min(span.to, span.from + left));
      const cut = part.length < span.to - span.from ? unfinishedCharacter(part) : 0;
      parts.push(part.subarray(0, part.length - cut));
      left -= part.length;
      to = span.from + part.length - cut;
      if (left <= 0) break;
    }
    this.#forgetUntil(to);
    const from = all[0]?.from ?? to;
    return { bytes: Buffer.concat(parts), span: { from, to }, more: this.ungiven.length > 0 };
  }

  #forgetUntil(to: number): void {
    this.#skipped = this.#skipped
      .map((span) => ({ ...span, from: Math.max(span.from, to) }))
      .filter((span) => span.from < span.to);
    this.#given = Math.max(this.#given, to);
  }
}
