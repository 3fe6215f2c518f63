/** Finished lines as text, by number and position: the newest, and those not yet read. */
import type { StoredPages } from '../../keeper/stored-pages.ts';
import type { HistorySnapshot } from '../screen-snapshot.ts';
import { decodeLines, encodeLines } from './line-encoding.ts';
import { type HistoryPage, type LostOutput, pageToDrop, type ReaderPosition } from './retention.ts';

/** A logical line: the text between two line feeds, no matter how the screen wraps it. */
export interface LogicalLine {
  /** Counts every line of the session, from 0. */
  line: number;
  /** Where in the output the line began. */
  position: number;
  text: string;
}

export interface HistoryLine extends LogicalLine {
  /** Identifies the line, even if others are inserted above it: see live-lines.ts. */
  id: number;
  /** It continues the line before it, which was too long: see line-pieces.ts. */
  continues?: true;
  /** How many characters a person cannot see, and the text leaves out. Absent: none. */
  hidden?: number;
  /** The output missing right before it. */
  lost?: LostOutput;
}

interface LinePage extends HistoryPage {
  from: number;
  to: number;
  size: number;
  first: number;
  chars: number;
  /** The output missing right before the page. */
  gap: Gap;
  lines: KeptLine[];
}

/** A line as it is kept: its number comes from its place. */
export type KeptLine = Omit<HistoryLine, 'line' | 'lost'>;

/** Output that is no longer kept. */
interface Gap {
  /** How many lines begin in it. */
  lineStarts: number;
  bytes: number;
  /** It begins in the middle of a line. */
  continues: boolean;
}

const noGap: Gap = { lineStarts: 0, bytes: 0, continues: false };

/** A line that is missing in part counts as one. */
const lostIn = ({ lineStarts, bytes, continues }: Gap): LostOutput => ({
  lines: lineStarts + Number(continues),
  bytes,
});

export class LineHistory {
  readonly #pages: LinePage[] = [];
  readonly #readers: Iterable<ReaderPosition>;
  readonly #headBytes: number;
  readonly #maxLines: number;
  readonly #maxChars: number;
  readonly #pageLines: number;
  #size = 0;
  #chars = 0;
  /** The number of the next line, and the output missing right before it. */
  end = 0;
  #gap = noGap;

  constructor(
    readers: Iterable<ReaderPosition>,
    { headBytes, maxLines, maxChars }: { headBytes: number; maxLines: number; maxChars: number },
  ) {
    this.#readers = readers;
    this.#headBytes = headBytes;
    this.#maxLines = maxLines;
    this.#maxChars = maxChars;
    this.#pageLines = Math.max(1, Math.min(256, maxLines >> 3));
  }

  /** Lines and characters held in memory. */
  get size(): { lines: number; chars: number } {
    return { lines: this.#size, chars: this.#chars };
  }

  push(
    { id, position, continues }: Omit<HistoryLine, 'text' | 'line' | 'lost' | 'hidden'>,
    text: string,
    hidden = 0,
  ): void {
    let page = this.#pages.at(-1);
    const isFull = page === undefined || page.size >= this.#pageLines;
    // A page ends where the next begins, because a reader may be in the middle of a line.
    if (page !== undefined) page.to = Math.max(page.to, position);
    if (isFull || this.#gap !== noGap || page!.chars > this.#maxChars >> 3) {
      const gap = this.#gap;
      this.#gap = noGap;
      page = { first: this.end, from: position, to: position, size: 0, chars: 0, gap, lines: [] };
      this.#pages.push(page);
    }
    const line: KeptLine = { id, position, text };
    if (continues) line.continues = continues;
    if (hidden > 0) line.hidden = hidden;
    page!.lines.push(line);
    page!.to = Math.max(page!.to, position + 1);
    page!.size++;
    page!.chars += text.length;
    this.#size++;
    this.#chars += text.length;
    this.end++;
    this.#trim();
  }

  /** Counts lines that were never parsed. */
  skip(lines: number, bytes: number): void {
    this.end += lines;
    this.#gap = {
      lineStarts: this.#gap.lineStarts + lines,
      bytes: this.#gap.bytes + bytes,
      continues: false,
    };
  }

  /** The output missing right before the next line. */
  get lostAtEnd(): LostOutput {
    return lostIn(this.#gap);
  }

  /** The lines kept from a number on. */
  *from(line: number): Generator<HistoryLine> {
    for (const { first, lines, gap } of this.#pages) {
      for (let at = Math.max(0, line - first); at < lines.length; at++) {
        const isAfterGap = at === 0 && gap !== noGap;
        yield { line: first + at, ...lines[at]!, ...(isAfterGap && { lost: lostIn(gap) }) };
      }
    }
  }

  /**
   * The part of `Screen.lineAt` for these lines. `isOver`: a line began after the position, so the
   * search ends here. A wait for a text searches after every output, so this creates no object per
   * line.
   */
  search(position: number): { found: number | undefined; latest: number; isOver: boolean } {
    let found: number | undefined;
    let latest = -1;
    for (const { first, lines } of this.#pages) {
      for (let at = 0; at < lines.length; at++) {
        const began = lines[at]!.position;
        if (began > position) return { found: found ?? first + at, latest, isOver: true };
        if (began <= latest) continue;
        found = first + at;
        latest = began;
      }
    }
    return { found, latest, isOver: false };
  }

  /** With `stored`, the lines of all pages but the last, which still grows, are stored there. */
  snapshot(stored?: StoredPages): HistorySnapshot['lines'] {
    const gapField = (gap: Gap) => gap !== noGap && { gap: { ...gap } };
    const last = this.#pages.at(-1);
    const pages = this.#pages.map((page) => {
      const { first, from, to, gap, lines } = page;
      const isStored = stored !== undefined && page !== last;
      return {
        first,
        from,
        to,
        ...gapField(gap),
        lines: isStored
          ? stored.store(lines, () => encodeLines(lines))
          : lines.map((line) => ({ ...line })),
      };
    });
    return { end: this.end, ...gapField(this.#gap), pages };
  }

  restore({ end, gap = noGap, pages }: HistorySnapshot['lines'], stored?: StoredPages): void {
    this.end = end;
    this.#gap = gap;
    for (const { gap: before = noGap, lines: kept, ...page } of pages) {
      const lines = Array.isArray(kept) ? kept : stored!.load(kept, decodeLines);
      const chars = lines.reduce((sum, { text }) => sum + text.length, 0);
      this.#pages.push({ ...page, gap: before, lines, size: lines.length, chars });
      this.#size += lines.length;
      this.#chars += chars;
    }
  }

  /** A few bytes of output can be very long lines: then characters are what there is too much of. */
  #pageToDrop(): number {
    const headBytes = this.#headBytes;
    if (this.#size > this.#maxLines)
      return pageToDrop(this.#pages, this.#readers, { headBytes, max: this.#maxLines });
    const limits = { headBytes, max: this.#maxChars };
    return pageToDrop(this.#pages, this.#readers, limits, ({ chars }) => chars);
  }

  #trim(): void {
    while (this.#size > this.#maxLines || this.#chars > this.#maxChars) {
      const index = this.#pageToDrop();
      if (index === -1) return;
      const [dropped, next] = this.#pages.splice(index, 2) as [LinePage, LinePage];
      const { gap, lines, from } = dropped;
      next.gap = {
        lineStarts:
          gap.lineStarts + lines.filter(({ continues }) => !continues).length + next.gap.lineStarts,
        bytes: gap.bytes + Math.max(0, next.from - from),
        continues: gap === noGap ? lines[0]!.continues === true : gap.continues,
      };
      this.#pages.splice(index, 0, next);
      this.#size -= dropped.size;
      this.#chars -= dropped.chars;
    }
  }
}
