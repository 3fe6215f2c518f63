/** Rows of a grid as text, and where on it something is. Nothing here remembers anything. */
import type { Grid, Row } from '../xterm/xterm.ts';

/** The text of rows of one line, up to a column of the last one. */
export function rowsText(grid: Grid, from: number, to: number, col?: number): string {
  let text = '';
  for (let index = from; index < to; index++) {
    const end = index === to - 1 && col !== undefined ? col : rowLength(grid, index);
    text += rowAt(grid, index).translateToString(false, 0, end);
  }
  return text;
}

export const rowAt = (grid: Grid, index: number): Row => grid.lines.get(index)!;

export const cursorRow = ({ ybase, y }: Grid): number => ybase + y;

/** The last row that is not blank; the one above the screen if all of it is. */
export function lastRow(grid: Grid): number {
  let last = grid.lines.length - 1;
  while (last >= grid.ybase && rowAt(grid, last).getTrimmedLength() === 0) last--;
  return last;
}

/** The cells of a row that belong to its line. */
export function rowLength(grid: Grid, index: number): number {
  const row = rowAt(grid, index);
  const next = grid.lines.get(index + 1);
  return next?.isWrapped ? wrappedLength(row, next) : row.getTrimmedLength();
}

/** A wide character that did not fit leaves the last cell of the row empty. */
const wrappedLength = (row: Row, next: Row): number => {
  const last = row.length - 1;
  const isGap = !row.hasContent(last) && row.getWidth(last) === 1 && next.getWidth(0) === 2;
  return isGap ? last : row.length;
};

export const withoutTrailingBlanks = (text: string): string => {
  let end = text.length;
  while (end > 0 && text.charCodeAt(end - 1) === 0x20) end--;
  return end === text.length ? text : text.slice(0, end);
};

/** xterm adds a text up cell by cell, which keeps a node per cell alive: this makes it one string. */
export const flattenString = (text: string): string => Buffer.from(text).toString();
