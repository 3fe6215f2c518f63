/**
 * A line that is too long is cut into pieces, so that output without line feeds stays bounded.
 *
 * It is cut after a number of cells, wherever those lie: whether they have left the screen, how wide
 * that is, and who has looked make no difference. Otherwise a piece that was read would become two
 * others, and would be read again.
 */

import type { Grid, Row } from '../xterm/xterm.ts';
import type { LineStart } from './line-starts.ts';
import { rowAt, rowLength } from './rows.ts';

/** In cells. A piece of this size is read and sent at once. */
export const MAX_PIECE = 64 * 1024;

/** What there is of a piece: all of it, or the part that its rows so far have brought. */
export interface LinePiece {
  note: LineStart;
  text: string;
  /** Without those that a wide character left empty because it did not fit. */
  cells: number;
}

export interface PlacedLinePiece extends LinePiece {
  /** Where it ends: the row, and the column after its last cell. */
  row: number;
  col: number;
}

/** The rows of a line that are in the buffer, and what of its last piece has left it. */
export interface LineRows {
  first: number;
  next: number;
  begun: LinePiece;
}

export const emptyPiece = (note: LineStart): LinePiece => ({ note, text: '', cells: 0 });

/** The note of the piece that follows one. */
export type NextPieceStart = (piece: LinePiece) => LineStart;

/**
 * The pieces that rows of a line make, of which the first has begun with `begun`. Only the last may
 * still get longer. One that is full is the last until there is a cell for the next.
 */
export function piecesOf(
  grid: Grid,
  { first, next, begun }: LineRows,
  follow: NextPieceStart,
): PlacedLinePiece[] {
  const pieces: PlacedLinePiece[] = [];
  let { note, text, cells } = begun;
  for (let row = first, end = 0; row < next; row++) {
    const length = rowLength(grid, row);
    for (let col = 0; col < length; col = end) {
      if (cells >= MAX_PIECE) {
        const place = col > 0 ? { row, col } : { row: row - 1, col: end };
        pieces.push({ note, text, cells, ...place });
        note = follow({ note, text, cells });
        text = '';
        cells = 0;
      }
      const room = MAX_PIECE - cells;
      end = length - col <= room ? length : wholeCell(rowAt(grid, row), col + room);
      text += rowAt(grid, row).translateToString(false, col, end);
      cells += end - col;
    }
  }
  pieces.push({ note, text, cells, row: next - 1, col: Number.POSITIVE_INFINITY });
  return pieces;
}

/** Where so many characters behind the begin of the first piece are. */
export const indexInPieces = (
  pieces: readonly LinePiece[],
  characters: number,
): { id: number; index: number } => {
  let index = characters;
  for (const { note, text } of pieces.slice(0, -1)) {
    if (index <= text.length) return { id: note.id, index };
    index -= text.length;
  }
  return { id: pieces.at(-1)!.note.id, index };
};

/** Behind the second half of a wide character, if the column would part it from the first. */
const wholeCell = (row: Row, col: number): number =>
  col < row.length && row.getWidth(col) === 0 ? col + 1 : col;
