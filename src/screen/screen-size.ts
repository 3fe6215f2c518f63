/** The sizes that a screen can have. */
import { InvalidSize } from '../errors.ts';

/** As many columns as a terminal can have. */
const MAX_COLS = 65_535;
/** As many lines as the history keeps. A row takes half a kilobyte, and time when it scrolls. */
const MAX_ROWS = 10_000;
/** A cell takes 12 bytes, and rows above the screen are as wide, so this is 12 MB and more. */
const MAX_CELLS = 1_000_000;

export function assertScreenSize(cols: number, rows: number): void {
  const isWithin = (count: number, max: number) =>
    Number.isInteger(count) && count >= 1 && count <= max;
  if (!isWithin(cols, MAX_COLS) || !isWithin(rows, MAX_ROWS) || cols * rows > MAX_CELLS)
    throw new InvalidSize(cols, rows);
}
