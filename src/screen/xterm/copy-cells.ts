/**
 * Copies cells from row to row, as xterm does when the width changes.
 *
 * A cell of several code points has them in a table beside the row. xterm's own method also copies the
 * entries of cells behind the copied ones, over those of cells that are already in place, so that letters
 * get the marks of others: Größe instead of Grüße.
 */
import type { XtermBuffer, XtermRow } from './xterm.ts';

const WORDS = 3;
/** Flags in the first and the third word of a cell. */
const IS_COMBINED = 1 << 21;
const HAS_EXTENDED = 1 << 28;

/** For all rows of the process, since rows are made in many places. It only mends. */
export const mendCopiedCells = (buffer: XtermBuffer): void => {
  const row = Object.getPrototypeOf(buffer.lines.get(0)) as XtermRow;
  row.copyCellsFrom = copyCells;
};

function copyCells(this: XtermRow, from: XtermRow, fromCol: number, toCol: number, count: number) {
  const words = from._data.slice(fromCol * WORDS, (fromCol + count) * WORDS);
  const texts: string[] = [];
  const extended: XtermRow['_extendedAttrs'] = {};
  // All of them first: the rows may be the same.
  for (let at = 0; at < count; at++) {
    if (words[at * WORDS]! & IS_COMBINED) texts[at] = from._combined[fromCol + at]!;
    if (words[at * WORDS + 2]! & HAS_EXTENDED) extended[at] = from._extendedAttrs[fromCol + at];
  }
  this._data.set(words, toCol * WORDS);
  for (const at in texts) this._combined[toCol + Number(at)] = texts[at]!;
  for (const at in extended) this._extendedAttrs[toCol + Number(at)] = extended[at];
}
