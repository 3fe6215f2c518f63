/** The sizes that a screen can have. */
import { InvalidSize } from '../errors.ts';

/** A cell takes 12 bytes, and rows above the screen are as wide, so this is 12 MB and more. */
const MAX_CELLS = 1_000_000;

export function assertScreenSize(cols: number, rows: number): void {
  const isSize = (count: number) => Number.isInteger(count) && count >= 1 && count <= 65535;
  if (!isSize(cols) || !isSize(rows) || cols * rows > MAX_CELLS) throw new InvalidSize(cols, rows);
}
