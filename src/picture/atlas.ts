/** The pixels of characters: a cell's worth of levels for each, in two weights. */
import { brotliDecompressSync } from 'node:zlib';
import { CELL, PACKED_ATLAS } from './atlas-data.ts';

const GLYPH_BYTES = CELL.width * CELL.height;

type Weight = ReadonlyMap<number, Uint8Array>;

export class GlyphAtlas {
  readonly #regular: Weight;
  readonly #bold: Weight;

  constructor(packed: string) {
    const bytes = brotliDecompressSync(Buffer.from(packed, 'base64'));
    const regular = readWeight(bytes, 0);
    this.#regular = regular.glyphs;
    this.#bold = readWeight(bytes, regular.end).glyphs;
  }

  /** Undefined if the font does not have it. */
  glyph(codePoint: number, isBold: boolean): Uint8Array | undefined {
    return (isBold && this.#bold.get(codePoint)) || this.#regular.get(codePoint);
  }

  get codePoints(): Iterable<number> {
    return this.#regular.keys();
  }
}

const readWeight = (bytes: Buffer, start: number): { glyphs: Weight; end: number } => {
  let at = start;
  const readNumber = () => {
    let number = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++]!;
      number |= (byte & 0x7f) << shift;
      if (byte < 0x80) return number;
    }
  };
  const codePoints: number[] = [];
  for (let left = readNumber(), codePoint = 0; left > 0; left--) {
    codePoint += readNumber();
    codePoints.push(codePoint);
  }
  const glyphs = new Map(
    codePoints.map((codePoint, index) => [
      codePoint,
      bytes.subarray(at + index * GLYPH_BYTES, at + (index + 1) * GLYPH_BYTES),
    ]),
  );
  return { glyphs, end: at + codePoints.length * GLYPH_BYTES };
};

let atlas: GlyphAtlas | undefined;

/** Unpacked at the first use, which takes 10 ms. */
export const openAtlas = (): GlyphAtlas => {
  atlas ??= new GlyphAtlas(PACKED_ATLAS);
  return atlas;
};
