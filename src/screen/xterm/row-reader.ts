/**
 * What a person sees of a row: concealed letters are blanks, and characters that no terminal draws are
 * left out and counted.
 *
 * Nearly all output has neither, and then this costs nothing: cells are looked at one by one only if the
 * output has had a sequence or a character that can hide something (output-scanner.ts).
 */
import {
  FIRST_INVISIBLE,
  hasInvisible,
  leaveOutInvisible,
  type VisibleText,
} from '../../invisible-characters.ts';
import { WORDS_PER_CELL } from './cells.ts';
import { isConcealed } from './concealed.ts';
import type { XtermRow } from './xterm.ts';

/** What the output has had that can hide text. */
export interface HidingSigns {
  /** A background, or SGR 8. */
  conceals: boolean;
  /** A character that no terminal draws. */
  isInvisible: boolean;
}

const FOREGROUND = 1;
const BACKGROUND = 2;
/** In the first word of a cell: its character, or a flag that it has several. */
const CODE_POINT = 0x1fffff;
const IS_COMBINED = 1 << 21;

export class RowReader {
  readonly signs: HidingSigns = { conceals: false, isInvisible: false };

  /** Whether nothing can be hidden. */
  get isPlain(): boolean {
    return !this.signs.conceals && !this.signs.isInvisible;
  }

  text(row: XtermRow, from: number, to: number): string {
    return this.isPlain ? row.translateToString(false, from, to) : this.read(row, from, to).text;
  }

  /** `text`: that of these cells with what is hidden, if it is known. */
  read(
    row: XtermRow,
    from: number,
    to: number,
    text = row.translateToString(false, from, to),
  ): VisibleText {
    const { conceals, isInvisible } = this.signs;
    const mayConceal = conceals && hasConcealed(row, from, to);
    if (!mayConceal && !(isInvisible && hasInvisible(text))) return { text, hidden: 0 };
    let visible = '';
    let hidden = 0;
    /** Where in the text this cell begins, and up to where it is in `visible`. */
    let at = 0;
    let shownTo = 0;
    for (let col = from; col < to; col += row.getWidth(col) || 1) {
      const length = cellLength(row, col);
      const cell =
        mayConceal || mayBeInvisible(row, col) ? changedCell(row, col, mayConceal) : undefined;
      if (cell !== undefined) {
        visible += text.slice(shownTo, at) + cell.text;
        hidden += cell.hidden;
        shownTo = at + length;
      }
      at += length;
    }
    return hidden === 0 ? { text, hidden } : { text: visible + text.slice(shownTo), hidden };
  }
}

/** What a person sees of a cell, if that is not what is in it. */
const changedCell = (row: XtermRow, col: number, mayConceal: boolean): VisibleText | undefined => {
  const text = cellText(row, col);
  if (mayConceal && isConcealedAt(row, col) && isWriting(text))
    return { text: ' '.repeat(row.getWidth(col)), hidden: 1 };
  const visible = visibleCells.get(text) ?? readCell(text);
  return visible.hidden > 0 ? visible : undefined;
};

/** Programs print the same emoji, letters with joiners and the like again and again, and looking is slow. */
const visibleCells = new Map<string, VisibleText>();
const MAX_VISIBLE_CELLS = 1000;

const readCell = (text: string): VisibleText => {
  const visible = leaveOutInvisible(text);
  if (visibleCells.size >= MAX_VISIBLE_CELLS) visibleCells.clear();
  visibleCells.set(text, visible);
  return visible;
};

/** Nearly all cells of a row are told by their number. */
const mayBeInvisible = ({ _data }: XtermRow, col: number): boolean =>
  (_data[col * WORDS_PER_CELL]! & (IS_COMBINED | CODE_POINT)) >= FIRST_INVISIBLE;

const cellText = ({ _data, _combined }: XtermRow, col: number): string => {
  const content = _data[col * WORDS_PER_CELL]!;
  if (content & IS_COMBINED) return _combined[col]!;
  return content & CODE_POINT ? String.fromCodePoint(content & CODE_POINT) : ' ';
};

/** Of its text. */
const cellLength = ({ _data, _combined }: XtermRow, col: number): number => {
  const content = _data[col * WORDS_PER_CELL]!;
  if (content & IS_COMBINED) return _combined[col]!.length;
  return (content & CODE_POINT) > 0xffff ? 2 : 1;
};

/** Brackets, lines, blocks and the signs of special fonts are frames and shapes, which say nothing. */
const SHAPE = /^[\p{Ps}\p{Pe}\u2500-\u259f\ue000-\uf8ff\u{1fb00}-\u{1fbff}]+$/u;

export const isWriting = (text: string): boolean => text.trim() !== '' && !SHAPE.test(text);

const isConcealedAt = ({ _data }: XtermRow, col: number): boolean =>
  isConcealed(_data[col * WORDS_PER_CELL + FOREGROUND]!, _data[col * WORDS_PER_CELL + BACKGROUND]!);

const hasConcealed = (row: XtermRow, from: number, to: number): boolean => {
  for (let col = from; col < to; col++) if (isConcealedAt(row, col)) return true;
  return false;
};
