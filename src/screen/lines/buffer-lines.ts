/**
 * Finds which rows of xterm's buffer belong to each line, and the current text of the lines.
 *
 * A line is made of rows: the first, and the rows it wraps onto. A part of the first line may have
 * left the buffer already. Nothing here changes a row; live-lines.ts does.
 */

import type { RowReader } from '../xterm/row-reader.ts';
import type { Xterm, XtermBuffer } from '../xterm/xterm.ts';
import {
  countPiecesAbove,
  emptyPiece,
  type LinePiece,
  locateInPieces,
  MAX_PIECE_CELLS,
  type PlacedLinePiece,
  type RowsOfLine,
  splitLineIntoPieces,
} from './line-pieces.ts';
import type { LineStart, LineStarts } from './line-starts.ts';
import type { PositionAnchor } from './position-anchors.ts';
import { cursorRow, lastNonBlankRow, rowAt, rowLength, withoutTrailingBlanks } from './rows.ts';

export interface LiveLine {
  id: number;
  position: number;
  text: string;
  hasCursor: boolean;
  /** How many characters a person cannot see, and the text leaves out. Absent: none. */
  hidden?: number;
  /** It continues the line before it, which was too long. */
  continues?: true;
}

export class BufferLines {
  /** The position up to which output is parsed or, during a step, will be parsed. */
  position = 0;
  /** Where the last line in the history began. */
  lastFinished = 0;
  /** The part of the first line, or of its last piece, that has left the buffer. */
  scrolledOff: LinePiece | undefined;
  readonly #xterm: Xterm;
  readonly #starts: LineStarts;
  readonly #reader: RowReader;

  constructor(xterm: Xterm, starts: LineStarts, reader: RowReader) {
    this.#xterm = xterm;
    this.#starts = starts;
    this.#reader = reader;
  }

  get #grid(): XtermBuffer {
    return this.#xterm.core.buffers.normal;
  }

  /** How many lines are completely above the screen, where no program can change them. */
  get countAboveScreen(): number {
    const { ybase } = this.#grid;
    let count = 0;
    for (let index = 0; index < ybase; ) {
      const line = this.#lineAt(index);
      if (line.scrolledOff.start.skipped === undefined) {
        if (this.#isOnePiece(line)) count += Number(line.next <= ybase);
        else count += countPiecesAbove(this.#grid, line, ybase);
      }
      index = line.next;
    }
    return count;
  }

  /**
   * Every line from the oldest in the buffer to the cursor, or to the last one that is not blank,
   * without the first `skipped`.
   */
  lines(skipped = 0): Generator<LiveLine> {
    return this.#linesWhere(() => true, skipped);
  }

  /** Those that begin at this position. Most are told by that, and their text is not needed. */
  linesAt(position: number): Generator<LiveLine> {
    return this.#linesWhere((start) => start.position === position);
  }

  *#linesWhere(isWanted: (start: LineStart) => boolean, skipped = 0): Generator<LiveLine> {
    const end = this.endRow();
    let left = skipped;
    for (let index = 0; index < end; ) {
      const line = this.#lineAt(index);
      index = line.next;
      if (line.scrolledOff.start.skipped) continue;
      if ((left > 0 || !isWanted(line.scrolledOff.start)) && this.#isOnePiece(line)) {
        left--;
        continue;
      }
      const pieces = this.pieces(line);
      const current = this.#pieceWithCursor(line, pieces);
      for (const piece of pieces) {
        if (left-- > 0 || !isWanted(piece.start)) continue;
        yield liveLine(piece, piece === current);
      }
    }
  }

  /** The line with the cursor. Undefined if everything from there on is blank. */
  cursorLine(): LiveLine | undefined {
    const line = this.#lineOf(cursorRow(this.#grid));
    if (line.scrolledOff.start.skipped || cursorRow(this.#grid) >= this.endRow()) return undefined;
    return liveLine(this.#pieceWithCursor(line, this.pieces(line))!, true);
  }

  /** An anchor at the cursor. */
  cursorAnchor(): PositionAnchor {
    const grid = this.#grid;
    return this.anchorAt(cursorRow(grid), grid.x);
  }

  anchorAt(row: number, col: number): PositionAnchor {
    const grid = this.#grid;
    const { first, scrolledOff } = this.#lineOf(row);
    let { cells } = scrolledOff;
    for (let index = first; index < row; index++) cells += rowLength(grid, index);
    return { id: scrolledOff.start.id, cell: cells + col };
  }

  /** The line and the index in its text of an anchor, if the line is still in the buffer. */
  locate({ id, cell }: PositionAnchor): { id: number; index: number } | undefined {
    const grid = this.#grid;
    const line = this.find(id);
    if (line === undefined) return undefined;
    const { first, next, scrolledOff } = line;
    let left = cell - scrolledOff.cells;
    let before = scrolledOff.text.length;
    for (let index = first; index < next && left > 0; index++) {
      const length = index === next - 1 ? rowAt(grid, index).length : rowLength(grid, index);
      before += this.#reader.text(rowAt(grid, index), 0, Math.min(left, length)).length;
      left -= length;
    }
    return locateInPieces(this.pieces(line), before);
  }

  find(id: number): RowsOfLine | undefined {
    const { length } = this.#grid.lines;
    for (let first = 0; first < length; ) {
      const line = this.#lineAt(first);
      if (line.scrolledOff.start.id === id) return line;
      first = line.next;
    }
    return undefined;
  }

  /** The line that a row belongs to. */
  #lineOf(row: number): RowsOfLine {
    let first = row;
    while (first > 0 && rowAt(this.#grid, first).isWrapped) first--;
    return this.#lineAt(first);
  }

  /** The line that begins, or continues from above the buffer, on this row. */
  #lineAt(first: number): RowsOfLine {
    const { lines } = this.#grid;
    let next = first + 1;
    while (next < lines.length && lines.get(next)!.isWrapped) next++;
    return { first, next, scrolledOff: this.scrolledOffAt(first) };
  }

  pieces(line: RowsOfLine): PlacedLinePiece[] {
    return splitLineIntoPieces(this.#grid, this.#reader, line, this.#startNextPiece);
  }

  /** The position is exact if the line is only text. It is never beyond the parsed output. */
  readonly #startNextPiece = ({ start, text }: LinePiece): LineStart =>
    this.#starts.nextPiece(
      start,
      Math.min(start.position + Buffer.byteLength(text), this.position),
    );

  #isOnePiece({ first, next, scrolledOff }: RowsOfLine): boolean {
    return scrolledOff.cells + (next - first) * this.#xterm.terminal.cols <= MAX_PIECE_CELLS;
  }

  /** The piece with the cursor, if the cursor is on this line. */
  #pieceWithCursor(
    { first, next }: RowsOfLine,
    pieces: readonly PlacedLinePiece[],
  ): PlacedLinePiece | undefined {
    const grid = this.#grid;
    const cursor = cursorRow(grid);
    if (cursor < first || cursor >= next) return undefined;
    return pieces.find(({ row, col }) => row > cursor || (row === cursor && col > grid.x));
  }

  /** The part of a row's line that came before the row and is no longer in the buffer. */
  scrolledOffAt(index: number): LinePiece {
    const scrolledOff = rowAt(this.#grid, index).isWrapped ? this.scrolledOff : undefined;
    return scrolledOff ?? emptyPiece(this.#starts.at(this.#grid, index, this.lastFinished));
  }

  /** The row after the last line: the cursor's row, or the one after the last that is not blank. */
  endRow(): number {
    return Math.max(cursorRow(this.#grid), lastNonBlankRow(this.#grid) + 1);
  }
}

const liveLine = (piece: PlacedLinePiece, hasCursor: boolean): LiveLine => {
  const { id, position, continues } = piece.start;
  const text =
    piece.col === Number.POSITIVE_INFINITY ? withoutTrailingBlanks(piece.text) : piece.text;
  const line: LiveLine = { id, position, text, hasCursor };
  if (piece.hidden > 0) line.hidden = piece.hidden;
  if (continues) line.continues = continues;
  return line;
};
