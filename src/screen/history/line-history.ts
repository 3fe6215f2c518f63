/** Finished lines as text, by number and position: the newest, and what readers have not read yet. */
import { type HistoryPage, type LostOutput, pageToDrop, type ReaderPosition } from './retention.ts';

/** A logical line: what was printed between two line feeds, however the screen has wrapped it. */
export interface LogicalLine {
  /** Counts every line of the session, from 0. */
  line: number;
  /** Where in the output the line began. */
  position: number;
  text: string;
}

export interface HistoryLine extends LogicalLine {
  /** Which line it is, even if others are inserted above it: see live-lines.ts. */
  id: number;
  /** It goes on with the line before it, which was too long: see pieces.ts. */
  continues?: true;
  /** What is missing right before it. */
  lost?: LostOutput;
}

interface LinePage extends HistoryPage {
  from: number;
  to: number;
  size: number;
  first: number;
  chars: number;
  /** What is missing right before the page. */
  gap: Gap;
  lines: Omit<HistoryLine, 'line' | 'lost'>[];
}

/** What is missing. */
interface Gap {
  /** How many lines begin in it. */
  begun: number;
  bytes: number;
  /** What is missing first goes on with a line. */
  continues: boolean;
}

const noGap: Gap = { begun: 0, bytes: 0, continues: false };

/** A line of which a part is missing counts, but once. */
const lostIn = ({ begun, bytes, continues }: Gap): LostOutput => ({
  lines: begun + Number(continues),
  bytes,
});

export class LineHistory {
  readonly #pages: LinePage[] = [];
  readonly #readings: Iterable<ReaderPosition>;
  readonly #headBytes: number;
  readonly #maxLines: number;
  readonly #maxChars: number;
  readonly #pageLines: number;
  #size = 0;
  #chars = 0;
  /** The number of the next line, and what is missing right before it. */
  end = 0;
  #gap = noGap;

  constructor(
    readings: Iterable<ReaderPosition>,
    { headBytes, maxLines, maxChars }: { headBytes: number; maxLines: number; maxChars: number },
  ) {
    this.#readings = readings;
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
    { id, position, continues }: Omit<HistoryLine, 'text' | 'line' | 'lost'>,
    text: string,
  ): void {
    let page = this.#pages.at(-1);
    const isFull = page === undefined || page.size >= this.#pageLines;
    // A page ends where the next begins: what follows a reader may be in the middle of its last line.
    if (page !== undefined) page.to = Math.max(page.to, position);
    if (isFull || this.#gap !== noGap || page!.chars > this.#maxChars >> 3) {
      const gap = this.#gap;
      this.#gap = noGap;
      page = { first: this.end, from: position, to: position, size: 0, chars: 0, gap, lines: [] };
      this.#pages.push(page);
    }
    page!.lines.push(continues ? { id, position, text, continues } : { id, position, text });
    page!.to = Math.max(page!.to, position + 1);
    page!.size++;
    page!.chars += text.length;
    this.#size++;
    this.#chars += text.length;
    this.end++;
    this.#forget();
  }

  /** Counts lines that were never looked at. */
  skip(lines: number, bytes: number): void {
    this.end += lines;
    this.#gap = {
      begun: this.#gap.begun + lines,
      bytes: this.#gap.bytes + bytes,
      continues: false,
    };
  }

  /** What is missing right before the next line. */
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
   * How far the search of `Screen.lineAt` comes among these lines: it is over where a line began after
   * the position. Whoever waits for a text searches with every output, so nothing is made for a line.
   */
  search(position: number): { found: number | undefined; began: number; isOver: boolean } {
    let found: number | undefined;
    let latest = -1;
    for (const { first, lines } of this.#pages) {
      for (let at = 0; at < lines.length; at++) {
        const began = lines[at]!.position;
        if (began > position) return { found: found ?? first + at, began: latest, isOver: true };
        if (began <= latest) continue;
        found = first + at;
        latest = began;
      }
    }
    return { found, began: latest, isOver: false };
  }

  #forget(): void {
    while (this.#size > this.#maxLines || this.#chars > this.#maxChars) {
      const bound = { headBytes: this.#headBytes, max: this.#maxLines };
      const index = pageToDrop(this.#pages, this.#readings, bound);
      if (index === -1) return;
      const [dropped, next] = this.#pages.splice(index, 2) as [LinePage, LinePage];
      const { gap, lines, from } = dropped;
      next.gap = {
        begun: gap.begun + lines.filter(({ continues }) => !continues).length + next.gap.begun,
        bytes: gap.bytes + Math.max(0, next.from - from),
        continues: gap === noGap ? lines[0]!.continues === true : gap.continues,
      };
      this.#pages.splice(index, 0, next);
      this.#size -= dropped.size;
      this.#chars -= dropped.chars;
    }
  }
}
