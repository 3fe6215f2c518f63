/** Reads the text of a picture back: which characters look like what is in each of its cells. */
import { openAtlas } from '../../src/picture/atlas.ts';
import { CELL, LEVELS } from '../../src/picture/atlas-data.ts';
import type { ReadImage } from './read-png.ts';

/** By what is drawn of them: Latin, Greek and Cyrillic have an A that looks the same. */
const lookAlikes = new Map<string, Set<string>>();

for (const codePoint of openAtlas().codePoints)
  for (const isBold of [false, true]) {
    const look = Buffer.from(openAtlas().glyph(codePoint, isBold)!).toString('latin1');
    const alike = lookAlikes.get(look) ?? new Set();
    lookAlikes.set(look, alike.add(String.fromCodePoint(codePoint)));
  }

export type ReadCell = ReadonlySet<string>;

/** Empty: none of the font's characters. */
export const readCell = ({ width, pixels }: ReadImage, row: number, col: number): ReadCell => {
  const colours = Array.from({ length: CELL.width * CELL.height }, (_, at) => {
    const x = col * CELL.width + (at % CELL.width);
    const y = row * CELL.height + Math.floor(at / CELL.width);
    return pixels[y * width + x]!;
  });
  if (new Set(colours).size === 1) return ONE_COLOUR;
  const sorted = [...new Set(colours)].sort((one, other) => brightness(one) - brightness(other));
  const [darkest, brightest] = [sorted[0]!, sorted.at(-1)!];
  const found = new Set<string>();
  for (const [paper, ink] of [
    [darkest, brightest],
    [brightest, darkest],
  ] as const) {
    const shares = colours.map((colour) => shareOf(colour, paper, ink));
    // Its darkest pixel need not be as dark as can be.
    for (let most = LEVELS - 1; most > 0; most--) {
      const look = Buffer.from(shares.map((share) => Math.round(share * most))).toString('latin1');
      for (const character of lookAlikes.get(look) ?? []) found.add(character);
    }
  }
  return found;
};

/** A blank, or a block that fills its cell. */
const ONE_COLOUR: ReadCell = new Set([' ', '\u00a0', '\u2588']);

const channels = (colour: number) => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

const brightness = (colour: number): number =>
  channels(colour).reduce((sum, channel) => sum + channel, 0);

/** How far it is on the way from the one to the other. */
const shareOf = (colour: number, from: number, to: number): number => {
  const [start, end] = [channels(from), channels(to)];
  const way = end.map((channel, at) => channel - start[at]!);
  const gone = channels(colour).map((channel, at) => channel - start[at]!);
  const length = way.reduce((sum, step) => sum + step * step, 0);
  return gone.reduce((sum, step, at) => sum + step * way[at]!, 0) / length;
};
