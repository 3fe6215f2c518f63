import { describe, expect, test } from 'vitest';
import { openAtlas } from '../../src/picture/atlas.ts';
import { CELL, LEVELS } from '../../src/picture/atlas-data.ts';
import { drawPng } from '../../src/picture/draw-png.ts';
import { coloursOf } from '../../src/picture/theme.ts';
import { Screen } from '../../src/screen/screen.ts';
import type { CellStyle } from '../../src/screen/xterm/styled-runs.ts';
import { makeScreenPicture } from '../../src/views/picture.ts';
import { readPng } from './read-png.ts';
import { readCell } from './read-text.ts';
import { pictureOf } from './screens.ts';

const HIDDEN_CURSOR = '\x1b[?25l';

const imageOf = async (output: string) =>
  readPng(await drawPng(pictureOf(`${HIDDEN_CURSOR}${output}`)));

type Image = Awaited<ReturnType<typeof imageOf>>;

/** The colours in a cell, or in one row of its pixels. */
const coloursIn = ({ width, pixels }: Image, col: number, pixelRow?: number): Set<number> => {
  const rows = pixelRow === undefined ? [...Array(CELL.height).keys()] : [pixelRow];
  return new Set(
    rows.flatMap((row) => {
      const start = row * width + col * CELL.width;
      return [...pixels.subarray(start, start + CELL.width)];
    }),
  );
};

const colours = (style: CellStyle = {}) => coloursOf(style);

describe('a picture', () => {
  test('has a cell of 9x18 pixels for each character', async () => {
    const { width, height } = await imageOf('');
    expect([width, height]).toEqual([20 * CELL.width, 3 * CELL.height]);
  });

  test.each<[name: string, sgr: string, style: CellStyle]>([
    ['one of the first eight', '31', { fg: 1 }],
    ['a bright one', '94', { fg: 12 }],
    ['one of 256', '38;5;208', { fg: 208 }],
    ['a grey of 256', '38;5;250', { fg: 250 }],
    ['a true one', '38;2;1;200;3', { fg: '#01c803' }],
    ['one behind', '44', { bg: 4 }],
    ['a true one behind', '48;2;10;20;30', { bg: '#0a141e' }],
    ['the default one', '0', {}],
    ['reversed', '7', { inverse: true }],
    ['reversed red', '31;7', { fg: 1, inverse: true }],
    ['dim', '2', { dim: true }],
    ['bold red, which is bright', '1;31', { fg: 9 }],
  ])('draws letters in the colour they are printed in: %s', async (_name, sgr, style) => {
    const { ink, paper } = colours(style);
    const seen = coloursIn(await imageOf(`\x1b[${sgr}m#`), 0);
    expect(seen).toContain(ink);
    expect(seen).toContain(paper);
  });

  test('draws bold letters with other pixels', async () => {
    const [plain, bold] = await Promise.all([imageOf('a'), imageOf('\x1b[1ma')]);
    expect(bold.pixels).not.toEqual(plain.pixels);
    expect(readCell(bold, 0, 0)).toContain('a');
  });

  test.each([
    ['underlined', '4', 16],
    ['struck', '9', 10],
  ])('draws a line through blanks that are %s', async (_name, sgr, pixelRow) => {
    const image = await imageOf(`\x1b[${sgr}m  `);
    for (const col of [0, 1])
      expect(coloursIn(image, col, pixelRow)).toEqual(new Set([colours().ink]));
  });

  test('draws the cursor as a block with the letter in it', async () => {
    const image = readPng(await drawPng(pictureOf('ab\b')));
    expect(coloursIn(image, 1, 0)).toEqual(new Set([colours().ink]));
    expect(readCell(image, 0, 1)).toContain('b');
    expect(coloursIn(image, 0, 0)).toEqual(new Set([colours().paper]));
  });

  test('draws the cursor after the last character that was printed', async () => {
    const image = readPng(await drawPng(pictureOf('a')));
    expect(coloursIn(image, 1)).toEqual(new Set([colours().ink]));
  });

  test('draws no cursor that is hidden', async () => {
    expect(coloursIn(await imageOf('a'), 1)).toEqual(new Set([colours().paper]));
  });

  test('draws what the font lacks as a box, as wide as the character', async () => {
    const image = await imageOf('漢a\u{f0000}b');
    const topOfBox = 3;
    for (const col of [0, 1, 3]) expect(coloursIn(image, col, topOfBox).size).toBe(2);
    expect(coloursIn(image, 0)).toEqual(coloursIn(image, 1));
    expect(readCell(image, 0, 2)).toContain('a');
    expect(readCell(image, 0, 4)).toContain('b');
  });

  test('puts marks over their letter, also where no character has both', async () => {
    const image = await imageOf('e\u0301q\u0301q');
    expect(readCell(image, 0, 0)).toContain('é');
    expect(readCell(image, 0, 1).size).toBe(0);
    expect(readCell(image, 0, 2)).toContain('q');
  });

  test('joins the lines of frames from cell to cell', async () => {
    const image = await imageOf('──\r\n│\r\n│');
    const { ink } = colours();
    const middle = Math.floor(CELL.height / 2) - 1;
    for (let x = 0; x < 2 * CELL.width; x++)
      expect([middle, middle + 1].map((y) => image.pixels[y * image.width + x])).toContain(ink);
    for (let y = CELL.height; y < 3 * CELL.height; y++)
      expect(image.pixels[y * image.width + 4]).toBe(ink);
  });

  test('shows nothing that a person would not see', async () => {
    const blank = await imageOf('');
    for (const hidden of ['\x1b[8mhidden', '\x1b[38;2;9;9;9;48;2;9;9;9mhidden'])
      expect(coloursIn(await imageOf(hidden), 1).size).toBe(1);
    expect((await imageOf('a\u200b\u{e0041}')).pixels).toEqual((await imageOf('a')).pixels);
    expect((await imageOf('\x1b[8mhidden')).pixels).toEqual(blank.pixels);
  });

  test('has all colours where there are more than a palette holds', async () => {
    const rainbow = Array.from({ length: 60 }, (_, at) => `\x1b[48;2;${4 * at};${at};9m#`).join('');
    const image = await imageOf(rainbow);
    expect(coloursIn(image, 7)).toContain(colours({ bg: '#1c0709' }).paper);
    expect(new Set(image.pixels).size).toBeGreaterThan(256);
  });

  test.each([
    [801, 1],
    [1, 401],
    [400, 101],
  ])('is not made of a screen of %ix%i', (cols, rows) => {
    expect(makeScreenPicture(new Screen({ cols, rows }))).toBeUndefined();
  });
});

test('the font has letters of many scripts, frames and Braille, in two weights', () => {
  for (const character of 'aÄßжΩგ┼█▒⣿→€')
    expect(openAtlas().glyph(character.codePointAt(0)!, false)).toHaveLength(
      CELL.width * CELL.height,
    );
  expect([...openAtlas().codePoints].length).toBeGreaterThan(3500);
  const [plain, bold] = [false, true].map((isBold) => openAtlas().glyph(0x41, isBold)!);
  expect(bold).not.toEqual(plain);
  expect(Math.max(...plain!)).toBe(LEVELS - 1);
});
