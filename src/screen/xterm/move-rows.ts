/** Moves rows of the screen, all at once. xterm moves all of them once for each row that it inserts. */
import { renewRow } from './fast-rows.ts';
import type { Attributes, XtermBuffer, XtermRow } from './xterm.ts';

/** Rows of the screen, both included. */
interface RowRange {
  top: number;
  bottom: number;
}

/** Moves the rows down, or up if `by` is negative. Those that leave the range are gone; blank ones come in. */
export const moveRows = (
  buffer: XtermBuffer,
  range: RowRange,
  by: number,
  attributes?: Attributes,
): void => {
  const rows = rowsOf(buffer, range);
  const count = Math.min(Math.abs(by), rows.length);
  const dropped = by > 0 ? rows.splice(rows.length - count) : rows.splice(0, count);
  const blank = dropped.map((row) => renewRow(buffer, row, attributes));
  setRows(buffer, range, by > 0 ? [...blank, ...rows] : [...rows, ...blank]);
};

/** Moves the rows down. Those that leave the range come in again at its top. */
export const rotateRows = (buffer: XtermBuffer, range: RowRange, by: number): void => {
  const rows = rowsOf(buffer, range);
  setRows(buffer, range, [...rows.splice(rows.length - by), ...rows]);
};

const rowsOf = ({ lines, ybase }: XtermBuffer, { top, bottom }: RowRange): XtermRow[] =>
  Array.from({ length: bottom - top + 1 }, (_, at) => lines.get(ybase + top + at)!);

const setRows = (
  { lines, ybase }: XtermBuffer,
  { top }: RowRange,
  rows: readonly XtermRow[],
): void => {
  for (const [at, row] of rows.entries()) lines.set(ybase + top + at, row);
};
