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
import { CODE_POINT, HAS_CONTENT, IS_COMBINED, WIDTH_SHIFT, WORDS_PER_CELL } from './cells.ts';
import { isConcealed } from './concealed.ts';
import { visibleTextOfCells } from './row-text.ts';
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
    return visibleTextOfCells(row, from, to, mayConceal ? shownIfConcealed : shownIfInvisible);
  }
}

/** What a person sees of a cell, if that is not what is in it. */
const shownIfInvisible = ({ _data, _combined }: XtermRow, col: number): VisibleText | undefined => {
  const content = _data[col * WORDS_PER_CELL]! & HAS_CONTENT;
  // Nearly all cells of a row are told by their number.
  if (content < FIRST_INVISIBLE) return undefined;
  const text = content & IS_COMBINED ? _combined[col]! : content;
  let shown = shownTexts.get(text);
  if (shown === undefined) {
    shown = withoutHidden(typeof text === 'number' ? String.fromCodePoint(text) : text);
    if (shownTexts.size >= MAX_KNOWN) shownTexts.clear();
    shownTexts.set(text, shown);
  }
  return shown === WHOLE ? undefined : shown;
};

const shownIfConcealed = (row: XtermRow, col: number): VisibleText | undefined => {
  if (!isConcealedAt(row, col)) return shownIfInvisible(row, col);
  const content = row._data[col * WORDS_PER_CELL]!;
  const text = content & IS_COMBINED ? row._combined[col]! : content & CODE_POINT;
  let isHidden = writings.get(text);
  if (isHidden === undefined) {
    isHidden = isWriting(typeof text === 'number' ? String.fromCodePoint(text || BLANK) : text);
    if (writings.size >= MAX_KNOWN) writings.clear();
    writings.set(text, isHidden);
  }
  if (!isHidden) return shownIfInvisible(row, col);
  return content >>> WIDTH_SHIFT > 1 ? CONCEALED_WIDE : CONCEALED;
};

const withoutHidden = (text: string): VisibleText => {
  const visible = leaveOutInvisible(text);
  return visible.hidden > 0 ? visible : WHOLE;
};

const WHOLE: VisibleText = { text: '', hidden: 0 };
const CONCEALED: VisibleText = { text: ' ', hidden: 1 };
const CONCEALED_WIDE: VisibleText = { text: '  ', hidden: 1 };
const BLANK = 0x20;

/** What is shown of a character, or of a cell with several, and which of them are writing. */
const shownTexts = new Map<number | string, VisibleText>();
const writings = new Map<number | string, boolean>();
/** Programs print the same ones again and again, and to find it out takes ten times as long. */
const MAX_KNOWN = 10_000;

/** Brackets, lines, blocks and the signs of special fonts are frames and shapes, which say nothing. */
const SHAPE = /^[\p{Ps}\p{Pe}\u2500-\u259f\ue000-\uf8ff\u{1fb00}-\u{1fbff}]+$/u;

export const isWriting = (text: string): boolean => text.trim() !== '' && !SHAPE.test(text);

const isConcealedAt = ({ _data }: XtermRow, col: number): boolean =>
  isConcealed(_data[col * WORDS_PER_CELL + FOREGROUND]!, _data[col * WORDS_PER_CELL + BACKGROUND]!);

const hasConcealed = (row: XtermRow, from: number, to: number): boolean => {
  for (let col = from; col < to; col++) if (isConcealedAt(row, col)) return true;
  return false;
};
