/** The output as it came, by position: its newest part, and what readers have not read yet. */
import { type HistoryPage, type LostOutput, pageToDrop, type ReaderPosition } from './retention.ts';

export interface ByteSlice {
  position: number;
  bytes: Uint8Array;
}

export interface ByteSegment extends ByteSlice {
  /** What is missing right before this piece. */
  lost: LostOutput;
}

/** Blocks grow from small to this, so that a quiet session takes little memory. */
const SMALLEST_BLOCK = 4 * 1024;
const LARGEST_BLOCK = 64 * 1024;

interface Block extends HistoryPage {
  from: number;
  to: number;
  size: number;
  bytes: Buffer;
  /** Line feeds in everything before the block, and in it. */
  newlinesBefore: number;
  newlines: number;
}

export class ByteHistory {
  readonly #blocks: Block[] = [];
  readonly #readings: Iterable<ReaderPosition>;
  readonly #headBytes: number;
  readonly #max: number;
  /** A block's memory, to be used again: a flood would make the collector work for nothing. */
  #spare: Buffer | undefined;
  #size = 0;
  end = 0;
  newlines = 0;

  constructor(
    readings: Iterable<ReaderPosition>,
    { headBytes, max }: { headBytes: number; max: number },
  ) {
    this.#readings = readings;
    this.#headBytes = headBytes;
    this.#max = max;
  }

  /** Bytes held in memory. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a copy. What lies at or after `needed` is not forgotten yet. */
  append(bytes: Uint8Array, newlines: number, needed: number): void {
    let at = 0;
    let left = newlines;
    while (at < bytes.length) {
      let block = this.#blocks.at(-1);
      if (block === undefined || block.size === block.bytes.length) block = this.#addBlock();
      const part = bytes.subarray(at, at + block.bytes.length - block.size);
      block.bytes.set(part, block.size);
      at += part.length;
      const newlinesHere = at === bytes.length ? left : countNewlines(part);
      left -= newlinesHere;
      block.size += part.length;
      block.to += part.length;
      block.newlines += newlinesHere;
      this.#size += part.length;
      this.end += part.length;
      this.newlines += newlinesHere;
    }
    this.forget(needed);
  }

  /** Drops what exceeds the bound, up to the position that is still needed. */
  forget(needed: number): void {
    const bound = { headBytes: this.#headBytes, max: this.#max };
    while (this.#size > this.#max) {
      const index = pageToDrop(this.#blocks, this.#readings, bound);
      if (index === -1 || this.#blocks[index]!.to > needed) return;
      const [dropped] = this.#blocks.splice(index, 1);
      this.#size -= dropped!.size;
      this.#spare = dropped!.bytes;
    }
  }

  /** What is kept of a range, in order. The bytes are valid until the next append. */
  *slices(from: number, to: number): Generator<ByteSlice> {
    for (const block of this.#blocks) {
      if (block.to <= from) continue;
      if (block.from >= to) return;
      const position = Math.max(block.from, from);
      const end = Math.min(block.to, to);
      yield { position, bytes: block.bytes.subarray(position - block.from, end - block.from) };
    }
  }

  /** What is kept of a range, and what is not. */
  pieces(from: number, to = this.end): ByteSegment[] {
    const pieces: ByteSegment[] = [];
    let end = from;
    const lostUntil = (position: number) => ({
      bytes: position - end,
      lines: position > end ? this.newlinesBefore(position) - this.newlinesBefore(end) : 0,
    });
    for (const { position, bytes } of this.slices(from, to)) {
      pieces.push({ position, bytes, lost: lostUntil(position) });
      end = position + bytes.length;
    }
    if (end < to) pieces.push({ position: to, bytes: new Uint8Array(0), lost: lostUntil(to) });
    return pieces;
  }

  /** Line feeds before a position. Inside a part that is gone it is an estimate. */
  newlinesBefore(position: number): number {
    let end = 0;
    let newlines = 0;
    for (const block of this.#blocks) {
      if (position < block.from) {
        const share = (position - end) / (block.from - end);
        return newlines + Math.round(share * (block.newlinesBefore - newlines));
      }
      if (position < block.to) {
        return block.newlinesBefore + countNewlines(block.bytes.subarray(0, position - block.from));
      }
      end = block.to;
      newlines = block.newlinesBefore + block.newlines;
    }
    return newlines;
  }

  /** The position right after the nth line feed of all output, -1 where it is gone or to come. */
  afterNewline(nth: number): number {
    for (const { bytes, size, from, newlinesBefore, newlines } of this.#blocks) {
      if (nth <= newlinesBefore || nth > newlinesBefore + newlines) continue;
      let at = -1;
      for (let left = nth - newlinesBefore; left > 0; left--) at = bytes.indexOf(0x0a, at + 1);
      return at < size ? from + at + 1 : -1;
    }
    return -1;
  }

  byteAt(position: number): number | undefined {
    const block = this.#blocks.find(({ from, to }) => position >= from && position < to);
    return block?.bytes[position - block.from];
  }

  #addBlock(): Block {
    const last = this.#blocks.at(-1);
    const room = Math.min(LARGEST_BLOCK, last ? 2 * last.bytes.length : SMALLEST_BLOCK);
    const spare = this.#spare?.length === room ? this.#spare : undefined;
    this.#spare = undefined;
    const block = {
      from: this.end,
      to: this.end,
      size: 0,
      bytes: spare ?? Buffer.allocUnsafeSlow(room),
      newlinesBefore: this.newlines,
      newlines: 0,
    };
    this.#blocks.push(block);
    return block;
  }
}

function countNewlines(bytes: Uint8Array): number {
  let count = 0;
  for (let at = bytes.indexOf(0x0a); at !== -1; at = bytes.indexOf(0x0a, at + 1)) count++;
  return count;
}
