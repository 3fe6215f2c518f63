/**
 * The text of cells, a row at once. xterm joins it cell by cell, which takes a second for the largest
 * screen, and keeps a node for each cell.
 */
import type { VisibleText } from '../../invisible-characters.ts';
import { CODE_POINT, IS_COMBINED, WIDTH_SHIFT, WORDS_PER_CELL } from './cells.ts';
import type { XtermRow } from './xterm.ts';

const BLANK = ' '.charCodeAt(0);
/** At first as many as most rows need. */
let units = new Uint16Array(1024);
let bytes = Buffer.alloc(units.length);

let length = 0;
/** The bits of all that was added. */
let seen = 0;

/** The cells from one column up to another, also those that a person cannot see. */
export const textOfCells = (row: XtermRow, from: number, to: number): string => {
  begin(to - from);
  for (let col = from; col < to; col += widthAt(row, col)) addCell(row, col, to);
  return finish();
};

/** The same, but what is shown in place of each cell, and how many characters that leaves out. */
export const visibleTextOfCells = (
  row: XtermRow,
  from: number,
  to: number,
  shownInPlaceOf: (row: XtermRow, col: number) => VisibleText | undefined,
): VisibleText => {
  let hidden = 0;
  begin(to - from);
  for (let col = from; col < to; col += widthAt(row, col)) {
    const shown = shownInPlaceOf(row, col);
    if (shown === undefined) addCell(row, col, to);
    else {
      addText(shown.text, to - col);
      hidden += shown.hidden;
    }
  }
  return { text: finish(), hidden };
};

const begin = (cells: number): void => {
  length = 0;
  seen = 0;
  // A code point takes at most two.
  makeRoom(2 * cells);
};

const widthAt = ({ _data }: XtermRow, col: number): number =>
  _data[col * WORDS_PER_CELL]! >>> WIDTH_SHIFT || 1;

const addCell = ({ _data, _combined }: XtermRow, col: number, to: number): void => {
  const content = _data[col * WORDS_PER_CELL]!;
  const code = content & CODE_POINT;
  if (content & IS_COMBINED) addText(_combined[col]!, to - col);
  else if (code === 0) units[length++] = BLANK;
  else if (code < 0x10000) {
    units[length++] = code;
    seen |= code;
  } else {
    units[length++] = 0xd800 + ((code - 0x10000) >> 10);
    units[length++] = 0xdc00 + ((code - 0x10000) & 0x3ff);
    seen |= code;
  }
};

const addText = (text: string, cellsLeft: number): void => {
  makeRoom(length + text.length + 2 * cellsLeft);
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    units[length++] = unit;
    seen |= unit;
  }
};

const finish = (): string => {
  if (seen > 0xff) return Buffer.from(units.buffer, 0, length * 2).toString('utf16le');
  // Half the memory.
  bytes.set(units.subarray(0, length));
  return bytes.toString('latin1', 0, length);
};

const makeRoom = (needed: number): void => {
  if (needed <= units.length) return;
  const larger = new Uint16Array(2 * needed);
  larger.set(units);
  units = larger;
  bytes = Buffer.alloc(units.length);
};
