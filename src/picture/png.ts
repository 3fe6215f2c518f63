/** Writes PNG files: https://www.w3.org/TR/png-3/ */
import { promisify } from 'node:util';
import { crc32, deflate } from 'node:zlib';
import type { Rgb } from './theme.ts';

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const MAX_PALETTE = 256;
const BIT_DEPTH = 8;
const TRUE_COLOUR = 2;
const INDEXED_COLOUR = 3;
/** Each row says how its bytes are meant: these are meant as they are. */
const NO_FILTER = 0;

/** An image whose pixels are numbers of colours. */
export interface ColourImage {
  width: number;
  height: number;
  pixels: Uint32Array;
  colours: readonly Rgb[];
}

const deflateAside = promisify(deflate);

export const encodePng = async (image: ColourImage): Promise<Uint8Array> => {
  const { width, height, colours } = image;
  const isIndexed = colours.length <= MAX_PALETTE;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header[8] = BIT_DEPTH;
  header[9] = isIndexed ? INDEXED_COLOUR : TRUE_COLOUR;
  const palette = Buffer.from(colours.slice(0, MAX_PALETTE).flatMap(bytesOf));
  const rows = isIndexed ? indexedRows(image) : trueColourRows(image);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', header),
    ...(isIndexed ? [chunk('PLTE', palette)] : []),
    chunk('IDAT', await deflateAside(rows)),
    chunk('IEND', Buffer.alloc(0)),
  ]);
};

const bytesOf = (colour: Rgb): number[] => [colour >> 16, (colour >> 8) & 0xff, colour & 0xff];

const indexedRows = ({ width, height, pixels }: ColourImage): Buffer => {
  const rows = Buffer.alloc(height * (1 + width), NO_FILTER);
  for (let row = 0; row < height; row++)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (1 + width) + 1);
  return rows;
};

const trueColourRows = ({ width, height, pixels, colours }: ColourImage): Buffer => {
  const rows = Buffer.alloc(height * (1 + 3 * width), NO_FILTER);
  for (let row = 0, from = 0, to = 0; row < height; row++) {
    to++;
    for (let col = 0; col < width; col++) {
      const colour = colours[pixels[from++]!]!;
      rows[to++] = colour >> 16;
      rows[to++] = (colour >> 8) & 0xff;
      rows[to++] = colour & 0xff;
    }
  }
  return rows;
};

const chunk = (type: string, data: Buffer): Buffer => {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
};
