/**
 * The text of cells, a row at once. xterm joins it cell by cell, which takes a second for the largest
 * screen, and keeps a node for each cell.
 */
import { CODE_POINT, IS_COMBINED, WIDTH_SHIFT, WORDS_PER_CELL } from './cells.ts';
import type { XtermRow } from './xterm.ts';

const BLANK = ' '.charCodeAt(0);
/** At first as many as most rows need. */
let units = new Uint16Array(1024);
let bytes = Buffer.alloc(units.length);

/** The cells from one column up to another, also those that a person cannot see. */
export const textOfCells = (row: XtermRow, from: number, to: number): string => {
  const { _data: words, _combined: combined } = row;
  // A code point takes at most two.
  makeRoom(2 * (to - from));
  let length = 0;
  let seen = 0;
  for (let col = from; col < to; ) {
    const at = col * WORDS_PER_CELL;
    const content = words[at]!;
    const code = content & CODE_POINT;
    if (content & IS_COMBINED) {
      const text = combined[col]!;
      makeRoom(length + text.length + 2 * (to - col));
      for (let unit = 0; unit < text.length; unit++) units[length++] = text.charCodeAt(unit);
      seen |= 0xffff;
    } else if (code === 0) units[length++] = BLANK;
    else if (code < 0x10000) {
      units[length++] = code;
      seen |= code;
    } else {
      units[length++] = 0xd800 + ((code - 0x10000) >> 10);
      units[length++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
      seen |= code;
    }
    col += content >>> WIDTH_SHIFT || 1;
  }
  if (seen > 0xff) return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  // Half the memory.
  bytes.set(units.subarray(0, length));
  return bytes.toString('latin1', 0, length);
};

const makeRoom = (length: number): void => {
  if (length <= units.length) return;
  const larger = new Uint16Array(2 * length);
  larger.set(units);
  units = larger;
  bytes = Buffer.alloc(units.length);
};
