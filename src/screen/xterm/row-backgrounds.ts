/** Reads the backgrounds of whole rows as numbers. The largest screen has a million cells. */
import {
  COLOUR_MODE,
  IS_INVERSE,
  IS_RGB,
  PALETTE,
  RGB,
  WIDTH_SHIFT,
  WORDS_PER_CELL,
} from './cells.ts';
import type { Xterm, XtermRow } from './xterm.ts';

export const rowOf = ({ core }: Xterm, row: number): XtermRow | undefined => {
  const { lines, ybase } = core.buffers.active;
  return lines.get(ybase + row);
};

/** What is behind all cells of a row. Undefined if they differ: then see `backgroundsOfRow`. */
export const commonBackgroundOfRow = (xterm: Xterm, row: number): number | undefined => {
  const cells = rowOf(xterm, row);
  if (cells === undefined) return 0;
  const { _data: words } = cells;
  const [, foreground, background] = words;
  for (let at = 0; at < words.length; at += WORDS_PER_CELL) {
    if (words[at + 1] !== foreground || words[at + 2] !== background) return undefined;
  }
  return behind(foreground!, background!);
};

let backgrounds = new Uint32Array(0);
/** Of reversed text, behind which is the colour of letters. */
const LETTERS = 1;
const PALETTE_COLOUR = 0x1000000;

export const backgroundsOfRow = (xterm: Xterm, row: number): Uint32Array => {
  const { cols } = xterm.terminal;
  if (backgrounds.length < cols) backgrounds = new Uint32Array(cols);
  const words = rowOf(xterm, row)?._data ?? new Uint32Array(0);
  let [foreground, background, colour] = [0, 0, 0];
  for (let col = 0; col < cols; ) {
    const at = col * WORDS_PER_CELL;
    if (words[at + 1] !== foreground || words[at + 2] !== background) {
      foreground = words[at + 1]!;
      background = words[at + 2]!;
      colour = behind(foreground, background);
    }
    // The second cell of a wide character has the colour of the first.
    const end = Math.min(cols, col + (words[at]! >>> WIDTH_SHIFT || 1));
    for (; col < end; col++) backgrounds[col] = colour;
  }
  return backgrounds.subarray(0, cols);
};

const behind = (foreground: number, background: number): number =>
  foreground & IS_INVERSE ? colourOf(foreground) || LETTERS : colourOf(background);

/** 0 for the terminal's default. There are two ways to name the same colour of the palette. */
const colourOf = (word: number): number => {
  const mode = word & COLOUR_MODE;
  if (mode === 0) return 0;
  return mode === IS_RGB ? mode | (word & RGB) : PALETTE_COLOUR | (word & PALETTE);
};
