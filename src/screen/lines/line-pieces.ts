/**
 * Cuts a line that is too long into pieces, so that output without line feeds stays bounded.
 *
 * A piece has a fixed number of cells. It does not depend on whether they have left the screen, on
 * the width of the screen, or on when it was read. Otherwise a piece that was read could later be
 * cut differently, and would be read again.
 */

import type { RowReader } from '../xterm/row-reader.ts';
import type { XtermBuffer, XtermRow } from '../xterm/xterm.ts';
import type { LineStart } from './line-starts.ts';
import { rowAt, rowLength } from './rows.ts';

/** A piece is read and sent as a whole, so this limits the size of a read. */
export const MAX_PIECE_CELLS = 64 * 1024;

/** A piece, or the part of it that is known so far. */
export interface LinePiece {
  start: LineStart;
  text: string;
  /** Without cells that stayed empty because a wide character did not fit. */
  cells: number;
  /** How many characters a person cannot see, and the text leaves out. */
  hidden: number;
}

export interface PlacedLinePiece extends LinePiece {
  /** Where it ends: the row, and the column after its last cell. */
  row: number;
  col: number;
}

/**
 * The rows of a line that are in the buffer, from `first` up to `next`, and the part of its last
 * piece that has left the buffer.
 */
export interface RowsOfLine {
  first: number;
  next: number;
  scrolledOff: LinePiece;
}

export const emptyPiece = (start: LineStart): LinePiece => ({
  start,
  text: '',
  cells: 0,
  hidden: 0,
});

/** Returns the start of the piece after this one. */
export type FindNextPieceStart = (piece: LinePiece) => LineStart;

/**
 * The pieces of a line. The first begins with `scrolledOff`. Only the last can still grow. A full
 * piece is the last until there is a cell for the next one.
 */
export function splitLineIntoPieces(
  grid: XtermBuffer,
  reader: Pick<RowReader, 'isPlain' | 'read'>,
  { first, next, scrolledOff }: RowsOfLine,
  startNext: FindNextPieceStart,
): PlacedLinePiece[] {
  const pieces: PlacedLinePiece[] = [];
  let { start, text, cells, hidden } = scrolledOff;
  const { isPlain } = reader;
  for (let row = first, end = 0; row < next; row++) {
    const length = rowLength(grid, row);
    for (let col = 0; col < length; col = end) {
      if (cells >= MAX_PIECE_CELLS) {
        const pieceEnd = col > 0 ? { row, col } : { row: row - 1, col: end };
        pieces.push({ start, text, cells, hidden, ...pieceEnd });
        start = startNext({ start, text, cells, hidden });
        text = '';
        cells = 0;
        hidden = 0;
      }
      const available = MAX_PIECE_CELLS - cells;
      end =
        length - col <= available ? length : afterWideCharacter(rowAt(grid, row), col + available);
      if (isPlain) text += rowAt(grid, row).translateToString(false, col, end);
      else {
        const visible = reader.read(rowAt(grid, row), col, end);
        text += visible.text;
        hidden += visible.hidden;
      }
      cells += end - col;
    }
  }
  pieces.push({ start, text, cells, hidden, row: next - 1, col: Number.POSITIVE_INFINITY });
  return pieces;
}

/** How many pieces of a line end above a row. Where they end depends on the cells, not on the text. */
export const countPiecesAbove = (grid: XtermBuffer, line: RowsOfLine, row: number): number =>
  splitLineIntoPieces(grid, readNothing, line, ({ start }) => start).filter(
    (piece) => piece.row < row,
  ).length;

const readNothing = { isPlain: false, read: () => ({ text: '', hidden: 0 }) };

/** The piece and the index in it, for an index counted from the start of the first piece. */
export const locateInPieces = (
  pieces: readonly LinePiece[],
  fromStart: number,
): { id: number; index: number } => {
  let index = fromStart;
  for (const { start, text } of pieces.slice(0, -1)) {
    if (index <= text.length) return { id: start.id, index };
    index -= text.length;
  }
  return { id: pieces.at(-1)!.start.id, index };
};

/** Moves the column after a wide character that it would cut in half. */
const afterWideCharacter = (row: XtermRow, col: number): number =>
  col < row.length && row.getWidth(col) === 0 ? col + 1 : col;
