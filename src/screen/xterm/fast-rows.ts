/**
 * Makes xterm's rows work on all their cells at once. xterm goes cell by cell, and clearing the largest
 * screen takes it fifty milliseconds in which no other session is served. The result is the same, with
 * two exceptions that mend it: copied cells keep their own marks, and a cell gets only so many of them.
 */
import {
  CODE_POINT,
  HAS_CONTENT,
  HAS_EXTENDED,
  IS_COMBINED,
  IS_PROTECTED,
  WIDTH_SHIFT,
  WORDS_PER_CELL,
} from './cells.ts';
import { textOfCells } from './row-text.ts';
import type { Attributes, Cell, XtermBuffer, XtermRow } from './xterm.ts';

/**
 * A cell could get any number of combining marks. Text has a few code units, emoji up to fifteen. This
 * many in each cell of the largest screen take 60 MB.
 */
const MAX_CELL_LENGTH = 16;
/** To join a code unit to a character is as much work as to print so many letters. */
export const JOIN_WORK = 4;
export const MAX_CHARACTER_WORK = MAX_CELL_LENGTH * JOIN_WORK;
/** From this length on, V8 makes a string from two others without copying them: a node for each mark. */
const MIN_NODE_LENGTH = 13;
const WIDTH_MASK = 3 << WIDTH_SHIFT;

type RowClass = new (cols: 0) => XtermRow;
let Row: RowClass;

/** For all rows of the process, since rows are made in many places. */
export const speedUpRows = (buffer: XtermBuffer): void => {
  Row = buffer.lines.get(0)!.constructor as RowClass;
  Object.assign(Row.prototype, methods);
  const buffers = Object.getPrototypeOf(buffer) as XtermBuffer;
  buffers.getBlankLine = blankRow;
};

const methods: Partial<XtermRow> & ThisType<XtermRow> = {
  translateToString(trimRight, startCol = 0, endCol) {
    const last = endCol ?? this.length;
    const end = trimRight ? Math.min(last, this.getTrimmedLength()) : last;
    return textOfCells(this, startCol, end);
  },

  fill(cell, keepProtected = false) {
    if (keepProtected) return fillUnprotected(this, 0, this.length, cell);
    this._combined = {};
    this._extendedAttrs = {};
    fillCells(this, 0, this.length, cell);
  },

  insertCells(col, count, cell) {
    const from = col % this.length;
    clearLeftHalf(this, from, cell);
    const kept = this.length - from - count;
    if (kept > 0) this.copyCellsFrom(this, from, from + count, kept);
    fillCells(this, from, kept > 0 ? from + count : this.length, cell);
    clearLeftHalf(this, this.length, cell);
  },

  deleteCells(col, count, cell) {
    const from = col % this.length;
    const kept = this.length - from - count;
    if (kept > 0) this.copyCellsFrom(this, from + count, from, kept);
    fillCells(this, kept > 0 ? this.length - count : from, this.length, cell);
    clearLeftHalf(this, from, cell);
    if (this.getWidth(from) === 0 && !this.hasContent(from)) clear(this, from, cell);
  },

  replaceCells(from, to, cell, keepProtected = false) {
    const isReplaced = (col: number) => !keepProtected || !isProtected(this, col);
    if (from > 0 && isReplaced(from - 1)) clearLeftHalf(this, from, cell);
    if (to < this.length && this.getWidth(to - 1) === 2 && isReplaced(to)) clear(this, to, cell);
    const end = Math.min(to, this.length);
    if (keepProtected) fillUnprotected(this, from, end, cell);
    else fillCells(this, from, end, cell);
  },

  copyCellsFrom(from, fromCol, toCol, count) {
    const [start, end] = [fromCol * WORDS_PER_CELL, (fromCol + count) * WORDS_PER_CELL];
    const target = toCol * WORDS_PER_CELL;
    // The rows may be the same.
    if (from === this) this._data.copyWithin(target, start, end);
    else this._data.set(from._data.subarray(start, end), target);
    // xterm also copies the texts of cells behind the copied ones, over those of cells that are already
    // in place, so that letters get the marks of others: Größe instead of Grüße.
    const isToTheRight = toCol > fromCol;
    for (let step = 0; step < count; step++) {
      // In the same row, none is overwritten before it is copied.
      const at = isToTheRight ? count - 1 - step : step;
      const word = target + at * WORDS_PER_CELL;
      if (this._data[word]! & IS_COMBINED)
        this._combined[toCol + at] = from._combined[fromCol + at]!;
      if (this._data[word + 2]! & HAS_EXTENDED)
        this._extendedAttrs[toCol + at] = from._extendedAttrs[fromCol + at];
    }
  },

  addCodepointToCell(col, codePoint, width) {
    const at = col * WORDS_PER_CELL;
    let content = this._data[at]!;
    if (!(content & HAS_CONTENT)) content = codePoint | (1 << WIDTH_SHIFT);
    else {
      const before =
        content & IS_COMBINED ? this._combined[col]! : String.fromCodePoint(content & CODE_POINT);
      content = (content & ~CODE_POINT) | IS_COMBINED;
      this._combined[col] = before.length < MAX_CELL_LENGTH ? join(before, codePoint) : before;
    }
    if (width) content = (content & ~WIDTH_MASK) | (width << WIDTH_SHIFT);
    this._data[at] = content;
  },
};

const join = (text: string, codePoint: number): string => {
  const joined = text + String.fromCodePoint(codePoint);
  // To read a character makes V8 copy the string into one piece.
  if (joined.length >= MIN_NODE_LENGTH) joined.charCodeAt(0);
  return joined;
};

function blankRow(this: XtermBuffer, attributes: Attributes, isWrapped = false): XtermRow {
  const words = new Uint32Array(this._bufferService.cols * WORDS_PER_CELL);
  return makeBlankRow(this, words, attributes, isWrapped);
}

/** A blank row in place of one that is dropped, whose memory it takes: 12 KB for a thousand columns. */
export const renewRow = (
  buffer: XtermBuffer,
  dropped: XtermRow,
  attributes: Attributes | undefined,
): XtermRow => makeBlankRow(buffer, dropped._data, attributes, false);

const makeBlankRow = (
  buffer: XtermBuffer,
  words: Uint32Array,
  attributes: Attributes | undefined,
  isWrapped: boolean,
): XtermRow => {
  const row = new Row(0);
  row._data = words;
  row.length = words.length / WORDS_PER_CELL;
  row.isWrapped = isWrapped;
  fillCells(row, 0, row.length, buffer.getNullCell(attributes));
  return row;
};

const fillCells = (row: XtermRow, from: number, to: number, cell: Cell): void => {
  if (from >= to) return;
  const words = row._data;
  const first = from * WORDS_PER_CELL;
  const end = to * WORDS_PER_CELL;
  words[first] = cell.content;
  words[first + 1] = cell.fg;
  words[first + 2] = cell.bg;
  // Each time twice as much.
  for (let at = first + WORDS_PER_CELL; at < end; at += at - first)
    words.copyWithin(at, first, Math.min(at, first + end - at));
  if (cell.bg & HAS_EXTENDED)
    for (let col = from; col < to; col++) row._extendedAttrs[col] = cell.extended;
};

const fillUnprotected = (row: XtermRow, from: number, to: number, cell: Cell): void => {
  for (let col = from; col < to; col++)
    if (!isProtected(row, col)) fillCells(row, col, col + 1, cell);
};

const isProtected = (row: XtermRow, col: number): boolean =>
  (row._data[col * WORDS_PER_CELL + 2]! & IS_PROTECTED) !== 0;

/** Clears the left half of a wide character whose right half, at this column, is about to go. */
const clearLeftHalf = (row: XtermRow, col: number, cell: Cell): void => {
  if (col > 0 && row.getWidth(col - 1) === 2) clear(row, col - 1, cell);
};

const clear = (row: XtermRow, col: number, cell: Cell): void =>
  row.setCellFromCodepoint(col, 0, 1, cell);
