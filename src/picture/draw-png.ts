/** Draws a screen, cell by cell, as an image. */
import type { CellRun } from '../screen/xterm/styled-runs.ts';
import type { ScreenPicture } from '../views/picture.ts';
import { openAtlas } from './atlas.ts';
import { CELL, LEVELS } from './atlas-data.ts';
import { encodePng } from './png.ts';
import {
  BACKGROUND_COLOUR,
  type CellColours,
  coloursOf,
  mixColours,
  type Rgb,
  TEXT_COLOUR,
} from './theme.ts';

/** Pixels below the upper edge of a cell. */
const UNDERLINE_ROW = 16;
const STRIKE_ROW = 10;
/** The outline of a character that the font does not have, as high as a capital letter. */
const BOX = { top: 3, bottom: 15, margin: 1 };
const BOX_LEVEL = Math.round(LEVELS / 2);

/** The colours from that of the paper to that of the ink, as numbers. */
type Ramp = Uint32Array;

export const drawPng = async (picture: ScreenPicture): Promise<Uint8Array> => {
  const canvas = new Canvas(picture.cols, picture.rows);
  for (const [row, runs] of picture.runs.entries())
    for (const run of runs) canvas.drawRun(row, run, coloursOf(run.style));
  const { cursor } = picture;
  if (cursor !== undefined) canvas.drawRun(cursor.row, runAtCursor(picture), CURSOR_COLOURS);
  return encodePng(canvas);
};

const CURSOR_COLOURS: CellColours = { ink: BACKGROUND_COLOUR, paper: TEXT_COLOUR };

/** The cell under the cursor alone. */
const runAtCursor = ({ runs, cursor }: ScreenPicture): CellRun => {
  const { col, row } = cursor!;
  const under = runs[row]?.find((run) => run.col <= col && col < run.col + run.width);
  if (under === undefined) return { col, width: 1, text: ' ', style: {} };
  if (under.isSingle) return under;
  return { ...under, col, width: 1, text: under.text[col - under.col]! };
};

class Canvas {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint32Array;
  readonly colours: Rgb[] = [];
  readonly #atlas = openAtlas();
  readonly #numbers = new Map<Rgb, number>();
  /** By the colours of the paper and the ink. */
  readonly #ramps = new Map<number, Ramp>();

  constructor(cols: number, rows: number) {
    this.width = cols * CELL.width;
    this.height = rows * CELL.height;
    this.pixels = new Uint32Array(this.width * this.height);
    // Its number is 0, so the pixels have it.
    this.#numberOf(BACKGROUND_COLOUR);
  }

  drawRun(row: number, run: CellRun, colours: CellColours): void {
    const { col, width, text, style, isSingle } = run;
    const left = col * CELL.width;
    const top = row * CELL.height;
    const ramp = this.#rampOf(colours);
    this.#fill(left, top, width * CELL.width, CELL.height, ramp[0]!);
    const isBold = style.bold === true;
    if (isSingle) this.#drawCharacter(text, left, top, width, ramp, isBold);
    else
      for (let at = 0; at < text.length; at++)
        this.#drawCodePoint(text.charCodeAt(at), left + at * CELL.width, top, 1, ramp, isBold);
    const ink = ramp.at(-1)!;
    if (style.underline) this.#fill(left, top + UNDERLINE_ROW, width * CELL.width, 1, ink);
    if (style.strikethrough) this.#fill(left, top + STRIKE_ROW, width * CELL.width, 1, ink);
  }

  /** One character, maybe with marks: drawn over it, as far as the font has them. */
  #drawCharacter(
    text: string,
    left: number,
    top: number,
    width: number,
    ramp: Ramp,
    isBold: boolean,
  ): void {
    const [base, ...marks] = [...text.normalize('NFC')].map((each) => each.codePointAt(0)!);
    this.#drawCodePoint(base!, left, top, width, ramp, isBold);
    for (const mark of marks) {
      const glyph = this.#atlas.glyph(mark, isBold);
      if (glyph !== undefined) this.#drawGlyph(glyph, left, top, ramp);
    }
  }

  #drawCodePoint(
    codePoint: number,
    left: number,
    top: number,
    width: number,
    ramp: Ramp,
    isBold: boolean,
  ): void {
    if (codePoint === BLANK || codePoint === WIDE_BLANK) return;
    const glyph = this.#atlas.glyph(codePoint, isBold);
    if (glyph === undefined) this.#drawBox(left, top, width * CELL.width, ramp);
    else this.#drawGlyph(glyph, left + Math.floor(((width - 1) * CELL.width) / 2), top, ramp);
  }

  #drawGlyph(glyph: Uint8Array, left: number, top: number, ramp: Ramp): void {
    const { pixels, width } = this;
    let from = 0;
    for (let row = 0; row < CELL.height; row++) {
      let to = (top + row) * width + left;
      for (let col = 0; col < CELL.width; col++, from++, to++) {
        const level = glyph[from]!;
        if (level > 0) pixels[to] = ramp[level]!;
      }
    }
  }

  #drawBox(left: number, top: number, width: number, ramp: Ramp): void {
    const colour = ramp[BOX_LEVEL]!;
    const inner = width - 2 * BOX.margin;
    const height = BOX.bottom - BOX.top;
    this.#fill(left + BOX.margin, top + BOX.top, inner, 1, colour);
    this.#fill(left + BOX.margin, top + BOX.bottom - 1, inner, 1, colour);
    this.#fill(left + BOX.margin, top + BOX.top, 1, height, colour);
    this.#fill(left + width - BOX.margin - 1, top + BOX.top, 1, height, colour);
  }

  #fill(left: number, top: number, width: number, height: number, colour: number): void {
    for (let row = top; row < top + height; row++) {
      const start = row * this.width + left;
      this.pixels.fill(colour, start, start + width);
    }
  }

  #rampOf({ ink, paper }: CellColours): Ramp {
    const key = ink * 0x1000000 + paper;
    let ramp = this.#ramps.get(key);
    if (ramp === undefined) {
      ramp = Uint32Array.from({ length: LEVELS }, (_, level) =>
        this.#numberOf(mixColours(paper, ink, level / (LEVELS - 1))),
      );
      this.#ramps.set(key, ramp);
    }
    return ramp;
  }

  #numberOf(colour: Rgb): number {
    let number = this.#numbers.get(colour);
    if (number === undefined) {
      number = this.colours.push(colour) - 1;
      this.#numbers.set(colour, number);
    }
    return number;
  }
}

const BLANK = 0x20;
const WIDE_BLANK = 0x3000;
