/** The characters of a font as pixels of a cell, fitted to its grid so that they are sharp when small. */
import { rasterize } from './rasterize.js';

export const CELL = { width: 9, height: 18 };
/** Nobody sees more, and twice as many would take a quarter more room. */
export const LEVELS = 8;

/** The font's units. */
const ADVANCE = 1233;
const scale = CELL.width / ADVANCE;

/**
 * Heights in the font, and where they are drawn, in pixels below the upper edge. Those of letters (and
 * how far round ones go beyond them) come to the edge of a pixel; without that, all small letters have a
 * blurred upper edge.
 */
const letterHeights = [
  [-483, 17.6],
  [-29, 14],
  [0, 14],
  [1120, 6],
  [1147, 6],
  [1493, 3],
  [1522, 3],
  [1556, 2.6],
  [1901, 0.1],
];
/** Frames reach the edges of the cell, and their lines are in the middle of a pixel. */
const frameHeights = [
  [-512, CELL.height],
  [704, CELL.height / 2 - 0.5],
  [1921, 0],
];
/** Blocks are halves and eighths of the cell. */
const blockHeights = [
  [-512, CELL.height],
  [1921, 0],
];

const isFrame = (code) => code >= 0x2500 && code < 0x2580;
const isBlock = (code) => code >= 0x2580 && code < 0x25a0;

/** Linear between two heights, and beyond the outer ones. */
const placeHeight = (heights, y) => {
  const above = heights.findIndex(([height]) => y <= height);
  const at = above === -1 ? heights.length - 1 : Math.max(1, above);
  const [[y0, row0], [y1, row1]] = [heights[at - 1], heights[at]];
  return row0 + ((y - y0) / (y1 - y0)) * (row1 - row0);
};

/** A line that covers little more than its pixel would have a shadow. */
const sharpened = (covered) => Math.min(1, Math.max(0, (covered - 0.15) / 0.7));

/** One level for each pixel, row by row. */
export const drawGlyph = (code, contours) => {
  const heights = isFrame(code) ? frameHeights : isBlock(code) ? blockHeights : letterHeights;
  const placed = contours.map((contour) =>
    contour.map(([x, y]) => [x * scale, placeHeight(heights, y)]),
  );
  const pixels = rasterize(placed, CELL.width, CELL.height);
  return quantized([...pixels].map((covered) => (isFrame(code) ? sharpened(covered) : covered)));
};

const quantized = (pixels) =>
  Uint8Array.from(pixels, (covered) => Math.round(covered * (LEVELS - 1)));

export const FIRST_BRAILLE = 0x2800;
export const BRAILLE_PATTERNS = 256;

/** The bit of each dot, by row and column: https://www.unicode.org/charts/PDF/U2800.pdf */
const dotBits = [
  [0x01, 0x08],
  [0x02, 0x10],
  [0x04, 0x20],
  [0x40, 0x80],
];

/** The font has none, and programs draw graphs and spinners with them. */
export const drawBraille = (pattern) => {
  const pixels = new Uint8Array(CELL.width * CELL.height);
  for (const [dotRow, bits] of dotBits.entries())
    for (const [dotCol, bit] of bits.entries()) {
      if (!(pattern & bit)) continue;
      const [top, left] = [2 + 4 * dotRow, 2 + 4 * dotCol];
      for (const [row, col] of [0, 1, 2, 3].map((n) => [top + (n >> 1), left + (n & 1)]))
        pixels[row * CELL.width + col] = LEVELS - 1;
    }
  return pixels;
};
