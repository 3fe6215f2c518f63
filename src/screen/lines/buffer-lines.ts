/**
 * Which rows of xterm's buffer make up each line, and what those lines say now.
 *
 * A line is made of rows: the first, and the rows it wraps onto. Of the first line of the buffer a
 * part may have left it already. Nothing here changes a row: see live-lines.ts.
 */

import type { Grid, Xterm } from '../xterm/xterm.ts';
import type { AnchoredPlace } from './anchors.ts';
import {
  emptyPiece,
  indexInPieces,
  type LinePiece,
  type LineRows,
  MAX_PIECE,
  type PlacedLinePiece,
  piecesOf,
} from './line-pieces.ts';
import type { LineStart, LineStarts } from './line-starts.ts';
import { cursorRow, lastRow, rowAt, rowLength, rowsText, withoutTrailingBlanks } from './rows.ts';

export interface LiveLine {
  id: number;
  position: number;
  text: string;
  hasCursor: boolean;
  /** It goes on with the line before it, which was too long. */
  continues?: true;
}

export class BufferLines {
  /** How far the output is parsed; while it is being parsed, how far it will be. */
  position = 0;
  /** Where the last line that went to the history had begun. */
  lastFinished = 0;
  /** The part of the first line, or of its last piece, that has left the buffer already. */
  begun: LinePiece | undefined;
  readonly #xterm: Xterm;
  readonly #notes: LineStarts;

  constructor(xterm: Xterm, notes: LineStarts) {
    this.#xterm = xterm;
    this.#notes = notes;
  }

  get #grid(): Grid {
    return this.#xterm.core.buffers.normal;
  }

  /** How many lines lie above the screen as a whole: no program can reach them. */
  get above(): number {
    const { ybase } = this.#grid;
    let count = 0;
    for (let index = 0; index < ybase; ) {
      const line = this.#lineAt(index);
      if (line.begun.note.void === undefined) {
        if (this.#isShort(line)) count += Number(line.next <= ybase);
        else count += this.pieces(line).filter(({ row }) => row < ybase).length;
      }
      index = line.next;
    }
    return count;
  }

  /**
   * Every line from the oldest in the buffer to the cursor, or to the last that is not blank; the
   * first ones can be left out.
   */
  *lines(skipped = 0): Generator<LiveLine> {
    const end = this.end();
    let left = skipped;
    for (let index = 0; index < end; ) {
      const line = this.#lineAt(index);
      index = line.next;
      if (line.begun.note.void) continue;
      if (left > 0 && this.#isShort(line)) {
        left--;
        continue;
      }
      const pieces = this.pieces(line);
      const current = this.#withCursor(line, pieces);
      for (const piece of pieces) {
        if (left-- > 0) continue;
        yield liveLine(piece, piece === current);
      }
    }
  }

  /** The line that the cursor is on; none while all from there on is blank. */
  cursorLine(): LiveLine | undefined {
    const line = this.#lineOf(cursorRow(this.#grid));
    if (line.begun.note.void || cursorRow(this.#grid) >= this.end()) return undefined;
    return liveLine(this.#withCursor(line, this.pieces(line))!, true);
  }

  /** Where the output stands now. */
  cursorPlace(): AnchoredPlace {
    const grid = this.#grid;
    return this.placeAt(cursorRow(grid), grid.x);
  }

  placeAt(row: number, col: number): AnchoredPlace {
    const grid = this.#grid;
    const { first, begun } = this.#lineOf(row);
    let { cells } = begun;
    for (let index = first; index < row; index++) cells += rowLength(grid, index);
    return { id: begun.note.id, cell: cells + col };
  }

  /** The index of a place in its line's text, if the line is still in the buffer. */
  locate({ id, cell }: AnchoredPlace): { id: number; index: number } | undefined {
    const grid = this.#grid;
    const line = this.find(id);
    if (line === undefined) return undefined;
    const { first, next, begun } = line;
    let left = cell - begun.cells;
    let before = begun.text.length;
    for (let index = first; index < next && left > 0; index++) {
      const length = index === next - 1 ? rowAt(grid, index).length : rowLength(grid, index);
      before += rowsText(grid, index, index + 1, Math.min(left, length)).length;
      left -= length;
    }
    return indexInPieces(this.pieces(line), before);
  }

  find(id: number): LineRows | undefined {
    const { length } = this.#grid.lines;
    for (let first = 0; first < length; ) {
      const line = this.#lineAt(first);
      if (line.begun.note.id === id) return line;
      first = line.next;
    }
    return undefined;
  }

  /** The line that a row belongs to. */
  #lineOf(row: number): LineRows {
    let first = row;
    while (first > 0 && rowAt(this.#grid, first).isWrapped) first--;
    return this.#lineAt(first);
  }

  /** The line that begins or goes on with a row, and what of it has left the buffer. */
  #lineAt(first: number): LineRows {
    const { lines } = this.#grid;
    let next = first + 1;
    while (next < lines.length && lines.get(next)!.isWrapped) next++;
    return { first, next, begun: this.begunAt(first) };
  }

  pieces(line: LineRows): PlacedLinePiece[] {
    return piecesOf(this.#grid, line, this.#follow);
  }

  /** The position is exact if there is nothing but text in the line; what was parsed is the limit. */
  readonly #follow = ({ note, text }: LinePiece): LineStart =>
    this.#notes.follow(note, Math.min(note.position + Buffer.byteLength(text), this.position));

  #isShort({ first, next, begun }: LineRows): boolean {
    return begun.cells + (next - first) * this.#xterm.terminal.cols <= MAX_PIECE;
  }

  /** The piece of a line that the cursor is on, if it is on that line. */
  #withCursor(
    { first, next }: LineRows,
    pieces: readonly PlacedLinePiece[],
  ): PlacedLinePiece | undefined {
    const grid = this.#grid;
    const cursor = cursorRow(grid);
    if (cursor < first || cursor >= next) return undefined;
    return pieces.find(({ row, col }) => row > cursor || (row === cursor && col > grid.x));
  }

  /** What of the line on a row has come before it and is no longer in the buffer. */
  begunAt(index: number): LinePiece {
    const begun = rowAt(this.#grid, index).isWrapped ? this.begun : undefined;
    return begun ?? emptyPiece(this.#noteOf(index));
  }

  #noteOf(index: number): LineStart {
    return this.#notes.at(this.#grid, index, this.lastFinished);
  }

  /** The row after the last one that counts: the cursor's, or the last that is not blank. */
  end(): number {
    return Math.max(cursorRow(this.#grid), lastRow(this.#grid) + 1);
  }
}

const liveLine = (piece: PlacedLinePiece, hasCursor: boolean): LiveLine => {
  const { id, position, continues } = piece.note;
  const text =
    piece.col === Number.POSITIVE_INFINITY ? withoutTrailingBlanks(piece.text) : piece.text;
  return continues
    ? { id, position, text, hasCursor, continues }
    : { id, position, text, hasCursor };
};
