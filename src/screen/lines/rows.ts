/** Helpers for the rows of a grid. They keep no state. */
import type { XtermBuffer, XtermRow } from '../xterm/xterm.ts';

export const rowAt = (grid: XtermBuffer, index: number): XtermRow => grid.lines.get(index)!;

export const cursorRow = ({ ybase, y }: XtermBuffer): number => ybase + y;

/** The last row that is not blank. If the whole screen is blank, the row above it. */
export function lastNonBlankRow(grid: XtermBuffer): number {
  let last = grid.lines.length - 1;
  while (last >= grid.ybase && rowAt(grid, last).getTrimmedLength() === 0) last--;
  return last;
}

/** The cells of a row that belong to its line. */
export function rowLength(grid: XtermBuffer, index: number): number {
  const row = rowAt(grid, index);
  const next = grid.lines.get(index + 1);
  return next?.isWrapped ? wrappedLength(row, next) : row.getTrimmedLength();
}

/** If a wide character did not fit, the last cell of the row is empty and not part of the line. */
const wrappedLength = (row: XtermRow, next: XtermRow): number => {
  const last = row.length - 1;
  const isGap = !row.hasContent(last) && row.getWidth(last) === 1 && next.getWidth(0) === 2;
  return isGap ? last : row.length;
};

export const withoutTrailingBlanks = (text: string): string => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
};

/** xterm builds a text cell by cell, which keeps a node per cell alive. This makes it flat. */
export const flattenString = (text: string): string => Buffer.from(text).toString();
