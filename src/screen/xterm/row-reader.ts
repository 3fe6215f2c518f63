/**
 * What a person sees of a row: concealed letters are blanks, and characters that no terminal draws are
 * left out and counted.
 *
 * Nearly all output has neither, and then this costs nothing: cells are looked at one by one only if the
 * output has had a sequence or a character that can hide something (output-scanner.ts).
 */
import { hasInvisible, leaveOutInvisible, type VisibleText } from '../../invisible-characters.ts';
import { isConcealed } from './concealed.ts';
import type { XtermRow } from './xterm.ts';

/** What the output has had that can hide text. */
export interface HidingSigns {
  /** A background, or SGR 8. */
  conceals: boolean;
  /** A character that no terminal draws. */
  isInvisible: boolean;
}

const WORDS = 3;
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

  read(row: XtermRow, from: number, to: number): VisibleText {
    const { conceals, isInvisible } = this.signs;
    const text = row.translateToString(false, from, to);
    const hasHidden =
      (conceals && hasConcealed(row, from, to)) || (isInvisible && hasInvisible(text));
    return hasHidden ? this.#readCells(row, from, to) : { text, hidden: 0 };
  }

  #readCells(row: XtermRow, from: number, to: number): VisibleText {
    let text = '';
    let hidden = 0;
    for (let col = from; col < to; ) {
      const width = row.getWidth(col) || 1;
      const cell = visibleCell(row.translateToString(false, col, col + 1), {
        isConcealed: this.signs.conceals && isConcealedAt(row, col),
        width,
      });
      text += cell.text;
      hidden += cell.hidden;
      col += width;
    }
    return { text, hidden };
  }
}

/** What a person sees of a cell, or of several that are concealed together. */
export const visibleCell = (
  text: string,
  { isConcealed, width }: { isConcealed: boolean; width: number },
): VisibleText => {
  if (isConcealed && isWriting(text)) return { text: ' '.repeat(width), hidden: 1 };
  return hasInvisible(text) ? leaveOutInvisible(text) : { text, hidden: 0 };
};

/** Lines, blocks and the signs of special fonts are drawn as shapes, which say nothing. */
const SHAPE = /^[\u2500-\u259f\ue000-\uf8ff\u{1fb00}-\u{1fbff}]/u;

export const isWriting = (text: string): boolean => text.trim() !== '' && !SHAPE.test(text);

const isConcealedAt = ({ _data }: XtermRow, col: number): boolean =>
  isConcealed(_data[col * WORDS + FOREGROUND]!, _data[col * WORDS + BACKGROUND]!);

const hasConcealed = (row: XtermRow, from: number, to: number): boolean => {
  for (let col = from; col < to; col++) if (isConcealedAt(row, col)) return true;
  return false;
};
