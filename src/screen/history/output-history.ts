/**
 * The output that a session keeps: bytes and lines, both by position, both limited in size.
 *
 * A position is the number of bytes the program had printed before; it never shifts. When there is
 * too much output, the oldest is dropped first and counted, but the part right after a reader's
 * position is kept (retention.ts).
 */

import type { StoredPages } from '../../keeper/stored-pages.ts';
import type { HistorySnapshot } from '../screen-snapshot.ts';
import { ByteHistory } from './byte-history.ts';
import { LineHistory } from './line-history.ts';
import type { ReaderPosition } from './retention.ts';

export interface HistoryOptions {
  /** Raw bytes kept. @default 4 MiB */
  maxBytes?: number;
  /** Lines kept as text, in at most half as many characters as `maxBytes`. @default 10000 */
  maxLines?: number;
  /** How many bytes after a reader's position survive a flood. @default 64 KiB */
  headBytes?: number;
}

export class OutputHistory {
  readonly bytes: ByteHistory;
  readonly lines: LineHistory;
  readonly maxBytes: number;
  readonly maxLines: number;
  readonly headBytes: number;
  /** The output right after the position of each reader survives a flood. */
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

  /** With `pages`, what does not change any more is stored there. */
  snapshot(pages?: StoredPages): HistorySnapshot {
    const { maxBytes, maxLines, headBytes } = this;
    const [bytes, lines] = [this.bytes.snapshot(pages), this.lines.snapshot(pages)];
    return { maxBytes, maxLines, headBytes, bytes, lines };
  }

  restore({ bytes, lines }: HistorySnapshot, pages?: StoredPages): void {
    this.bytes.restore(bytes, pages);
    this.lines.restore(lines, pages);
  }
}
