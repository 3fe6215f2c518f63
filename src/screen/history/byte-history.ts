/** The output bytes by position: the newest, and those that readers have not read yet. */
import type { StoredPages } from '../../keeper/stored-pages.ts';
import type { HistorySnapshot } from '../screen-snapshot.ts';
import { type HistoryPage, type LostOutput, pageToDrop, type ReaderPosition } from './retention.ts';

export interface ByteSlice {
  position: number;
  bytes: Uint8Array;
}

export interface ByteSliceWithLoss extends ByteSlice {
  /** The output missing right before this piece. */
  lost: LostOutput;
}

/** Blocks start small and double in size, so that a quiet session takes little memory. */
const MIN_BLOCK_BYTES = 4 * 1024;
const MAX_BLOCK_BYTES = 64 * 1024;

interface Block extends HistoryPage {
  from: number;
  to: number;
  size: number;
  bytes: Buffer;
  /** Line feeds in all output before the block, and in the block. */
  newlinesBefore: number;
  newlines: number;
}

export class ByteHistory {
  readonly #blocks: Block[] = [];
  readonly #readers: Iterable<ReaderPosition>;
  readonly #headBytes: number;
  readonly #maxBytes: number;
  /** The memory of a dropped block, reused to save the garbage collector work in a flood. */
  #spareMemory: Buffer | undefined;
  #size = 0;
  end = 0;
  newlines = 0;

  constructor(
    readers: Iterable<ReaderPosition>,
    { headBytes, max }: { headBytes: number; max: number },
  ) {
    this.#readers = readers;
    this.#headBytes = headBytes;
    this.#maxBytes = max;
  }

  /** Bytes held in memory. */
  get size(): number {
    return this.#size;
  }

  /** Keeps a copy. Bytes from `keepFrom` on are not dropped yet. */
  append(bytes: Uint8Array, newlines: number, keepFrom: number): void {
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
    this.trim(keepFrom);
  }

  /** Drops blocks while there are too many bytes, but none that ends after `keepFrom`. */
  trim(keepFrom: number): void {
    const limits = { headBytes: this.#headBytes, max: this.#maxBytes };
    while (this.#size > this.#maxBytes) {
      const index = pageToDrop(this.#blocks, this.#readers, limits);
      if (index === -1 || this.#blocks[index]!.to > keepFrom) return;
      const [dropped] = this.#blocks.splice(index, 1);
      this.#size -= dropped!.size;
      this.#spareMemory = dropped!.bytes;
    }
  }

  /** The kept parts of a range, in order. The bytes are valid until the next append. */
  *slices(from: number, to: number): Generator<ByteSlice> {
    for (const block of this.#blocks) {
      if (block.to <= from) continue;
      if (block.from >= to) return;
      const position = Math.max(block.from, from);
      const end = Math.min(block.to, to);
      yield { position, bytes: block.bytes.subarray(position - block.from, end - block.from) };
    }
  }

  /** The kept parts of a range, each with the amount missing before it. */
  pieces(from: number, to = this.end): ByteSliceWithLoss[] {
    const pieces: ByteSliceWithLoss[] = [];
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

  /** Line feeds before a position. An estimate if the position is in a part that is gone. */
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

  /** The position right after the nth line feed of all output. -1 if it is not kept. */
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

  /** With `pages`, full blocks are stored there. */
  snapshot(pages?: StoredPages): HistorySnapshot['bytes'] {
    const blocks = this.#blocks.map((block) => {
      const { from, newlinesBefore, newlines, bytes, size } = block;
      const isStored = pages !== undefined && size === bytes.length;
      return {
        from,
        capacity: bytes.length,
        newlinesBefore,
        newlines,
        bytes: isStored
          ? pages.store(block, () => bytes)
          : Uint8Array.from(bytes.subarray(0, size)),
      };
    });
    return { end: this.end, newlines: this.newlines, blocks };
  }

  restore({ end, newlines, blocks }: HistorySnapshot['bytes'], pages?: StoredPages): void {
    this.end = end;
    this.newlines = newlines;
    for (const { capacity, bytes: kept, ...block } of blocks) {
      const restored = (bytes: Uint8Array): Block => {
        const memory = Buffer.allocUnsafeSlow(capacity);
        memory.set(bytes);
        const { length: size } = bytes;
        return { ...block, to: block.from + size, size, bytes: memory };
      };
      const made = kept instanceof Uint8Array ? restored(kept) : pages!.load(kept, restored);
      this.#blocks.push(made);
      this.#size += made.size;
    }
  }

  #addBlock(): Block {
    const last = this.#blocks.at(-1);
    const capacity = Math.min(MAX_BLOCK_BYTES, last ? 2 * last.bytes.length : MIN_BLOCK_BYTES);
    const reused = this.#spareMemory?.length === capacity ? this.#spareMemory : undefined;
    this.#spareMemory = undefined;
    const block = {
      from: this.end,
      to: this.end,
      size: 0,
      bytes: reused ?? Buffer.allocUnsafeSlow(capacity),
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
