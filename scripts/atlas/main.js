/**
 * `node scripts/atlas/main.js`: draws the characters of DejaVu Sans Mono (Debian: fonts-dejavu-core) for
 * pictures of screens, as src/picture/atlas-data.ts. That file is kept in the repository: a build needs no
 * font, and pictures are the same wherever it was made.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants } from 'node:zlib';
import { BRAILLE_PATTERNS, CELL, drawBraille, drawGlyph, FIRST_BRAILLE, LEVELS } from './glyphs.js';
import { readFont } from './true-type.js';

const FOLDER = '/usr/share/fonts/truetype/dejavu';
const target = new URL('../../src/picture/atlas-data.ts', import.meta.url);

const drawnFont = (file) => {
  const { glyphOf, contoursOf } = readFont(readFileSync(`${FOLDER}/${file}`));
  return [...glyphOf].map(([code, glyph]) => [code, drawGlyph(code, contoursOf(glyph))]);
};

const braille = Array.from({ length: BRAILLE_PATTERNS }, (_, pattern) => [
  FIRST_BRAILLE + pattern,
  drawBraille(pattern),
]);

/** The number of glyphs, how much higher each code point is than the one before, and their pixels. */
const encodedFont = (drawn) => {
  const sorted = drawn.toSorted(([one], [other]) => one - other);
  const steps = sorted.flatMap(([code], at) => encodedNumber(code - (sorted[at - 1]?.[0] ?? 0)));
  return [
    ...encodedNumber(sorted.length),
    ...steps,
    ...sorted.flatMap(([, pixels]) => [...pixels]),
  ];
};

/** Seven bits in each byte, the lowest first. */
const encodedNumber = (number) =>
  number < 0x80 ? [number] : [(number & 0x7f) | 0x80, ...encodedNumber(number >> 7)];

const regular = drawnFont('DejaVuSansMono.ttf');
const bytes = Buffer.from([
  ...encodedFont([...regular, ...braille]),
  ...encodedFont(drawnFont('DejaVuSansMono-Bold.ttf')),
]);
const packed = brotliCompressSync(bytes, {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
    [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length,
  },
});
writeFileSync(
  target,
  `/**
 * The characters of DejaVu Sans Mono as pixels, made by \`node scripts/atlas/main.js\`. NOTICE has the font's
 * licence. As text and not as a file beside the program, so that it is found wherever the program is
 * bundled or built to.
 */

/** In pixels. */
export const CELL = { width: ${CELL.width}, height: ${CELL.height} } as const;

/** How dark a pixel can be: from 0 to one less. */
export const LEVELS = ${LEVELS};

export const PACKED_ATLAS: string =
  '${packed.toString('base64')}';
`,
);
console.log(`${bytes.length} bytes, packed ${packed.length}`);
