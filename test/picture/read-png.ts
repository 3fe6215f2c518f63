/** Reads PNG files such as ours: eight bits, a palette or true colour, rows without a filter. */
import { crc32, inflateSync } from 'node:zlib';

export interface ReadImage {
  width: number;
  height: number;
  /** 0xrrggbb, row by row. */
  pixels: Uint32Array;
}

export const readPng = (file: Uint8Array): ReadImage => {
  const bytes = Buffer.from(file);
  if (bytes.subarray(0, 8).toString('latin1') !== '\x89PNG\r\n\x1a\n') throw new Error('No PNG.');
  const chunks = new Map<string, Buffer>();
  for (let at = 8; at < bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const checked = bytes.subarray(at + 4, at + 8 + length);
    if (crc32(checked) !== bytes.readUInt32BE(at + 8 + length)) throw new Error('A wrong sum.');
    chunks.set(checked.toString('latin1', 0, 4), checked.subarray(4));
    at += 12 + length;
  }
  const header = chunks.get('IHDR')!;
  const [width, height] = [header.readUInt32BE(0), header.readUInt32BE(4)];
  const colourAt = (data: Buffer, at: number) => data.readUIntBE(at, 3);
  const palette = chunks.get('PLTE');
  const size = palette ? 1 : 3;
  const rows = inflateSync(chunks.get('IDAT')!);
  if (rows.length !== height * (1 + width * size)) throw new Error('Rows of another size.');
  const pixels = new Uint32Array(width * height);
  for (let row = 0, at = 0; row < height; row++) {
    if (rows[at++] !== 0) throw new Error('A filtered row.');
    for (let col = 0; col < width; col++, at += size)
      pixels[row * width + col] = palette ? colourAt(palette, 3 * rows[at]!) : colourAt(rows, at);
  }
  return { width, height, pixels };
};
