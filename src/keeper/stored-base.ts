/**
 * What was written down last, in one of two places of a store: a label, which can be read alone, and the
 * rest. Each has a checksum of its own. To read the whole of two hundred large sessions takes longer than a
 * client wants to wait that asks for one of them.
 */
import { fstatSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import { readAll, writeAll } from './file-ranges.ts';
import { STORE_LAYOUT } from './store-layout.ts';

/** The parts of a base, in this order. Its header has the length and the checksum of each, in 32 bits. */
const PARTS = { label: 0, body: 1 } as const;
const PART_HEADER_BYTES = 8;
const HEADER_BYTES = 2 * PART_HEADER_BYTES;
/** The unit of `blocks` in stat(2). */
const BLOCK_BYTES = 512;

/** Of which there are two. */
export type Area = 0 | 1;

export const baseStart = (area: Area): number => STORE_LAYOUT.base * (1 + area);

/** Returns how many bytes it takes. */
export const writeBase = (fd: number, area: Area, parts: readonly Uint8Array[]): number => {
  const header = Buffer.alloc(HEADER_BYTES);
  let at = baseStart(area) + HEADER_BYTES;
  for (const [index, part] of parts.entries()) {
    header.writeUInt32LE(part.length, index * PART_HEADER_BYTES);
    header.writeUInt32LE(crc32(part), index * PART_HEADER_BYTES + 4);
    writeAll(fd, part, at);
    at += part.length;
  }
  writeAll(fd, header, baseStart(area));
  return at - baseStart(area);
};

/** Throws if it is damaged. */
export const readBasePart = (fd: number, area: Area, part: keyof typeof PARTS): Buffer => {
  const header = readAll(fd, HEADER_BYTES, baseStart(area));
  const offset = part === 'label' ? 0 : header.readUInt32LE();
  const field = PARTS[part] * PART_HEADER_BYTES;
  const length = header.readUInt32LE(field);
  // It cannot be longer than the memory that the whole store takes.
  if (offset + length > BLOCK_BYTES * fstatSync(fd).blocks) throw damaged();
  const bytes = readAll(fd, length, baseStart(area) + HEADER_BYTES + offset);
  if (bytes.length < length || crc32(bytes) !== header.readUInt32LE(field + 4)) throw damaged();
  return bytes;
};

const damaged = () => new Error('its base is damaged');
