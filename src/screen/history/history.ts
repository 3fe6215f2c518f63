/**
 * What a session remembers of its output: bytes and lines, both by position, both bounded.
 *
 * A position is the number of bytes the session had put out before; it never shifts. When there is
 * too much, the oldest goes first, but what follows a reader's position stays (kept.ts), and what is
 * gone is counted.
 */

import { ByteHistory } from './byte-history.ts';
import { LineHistory } from './line-history.ts';
import type { ReaderPosition } from './retention.ts';

export interface HistoryOptions {
  /** Bytes kept as they came. @default 4 MiB */
  maxBytes?: number;
  /** Lines kept as text, in at most half as many characters as `maxBytes`. @default 10000 */
  maxLines?: number;
  /** How much of what follows a reader's position outlives a flood. @default 64 KiB */
  headBytes?: number;
}

export class History {
  readonly bytes: ByteHistory;
  readonly lines: LineHistory;
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly headBytes: number;
  /** Who reads here. What follows their positions outlives a flood. */
  readonly readers = new Set<ReaderPosition>();

  constructor({
    maxBytes = 4 * 1024 * 1024,
    maxLines = 10_000,
    headBytes = 64 * 1024,
  }: HistoryOptions = {}) {
    this.maxBytes = maxBytes;
    this.maxLines = maxLines;
    this.headBytes = headBytes;
    this.bytes = new ByteHistory(this.readers, { headBytes, max: maxBytes });
    this.lines = new LineHistory(this.readers, { headBytes, maxLines, maxChars: maxBytes >> 1 });
  }
}
