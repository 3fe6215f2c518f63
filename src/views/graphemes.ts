/**
 * The longest prefix or suffix of a text within a number of UTF-8 bytes, cut between graphemes:
 * never inside a character, between a letter and its accents, or within a family of emoji.
 */

export function graphemePrefixWithin(text: string, maxBytes: number): string {
  // A code unit takes at least one byte, so no more than `maxBytes` of them can fit.
  const bytes = Buffer.from(text.slice(0, Math.max(0, maxBytes)));
  let end = Math.min(Math.max(0, maxBytes), bytes.length);
  while (isContinuation(bytes[end])) end--;
  const index = bytes.subarray(0, end).toString().length;
  return text.slice(0, graphemeAt(text, index).start);
}

export function graphemeSuffixWithin(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text.slice(Math.max(0, text.length - Math.max(0, maxBytes))));
  let start = Math.max(0, bytes.length - Math.max(0, maxBytes));
  while (isContinuation(bytes[start])) start++;
  const index = text.length - bytes.subarray(start).toString().length;
  const grapheme = graphemeAt(text, index);
  return text.slice(grapheme.start === index ? index : grapheme.end);
}

const isContinuation = (byte: number | undefined) => byte !== undefined && (byte & 0xc0) === 0x80;

// Created at the first cut, because creating it takes 18 ms.
let segmenter: Intl.Segmenter | undefined;

/** Code units to examine on either side. A longer grapheme, or row of flags, may be cut. */
const WINDOW = 64;

function graphemeAt(text: string, index: number): { start: number; end: number } {
  const first = Math.max(0, index - WINDOW);
  segmenter ??= new Intl.Segmenter();
  const segment = segmenter.segment(text.slice(first, index + WINDOW)).containing(index - first);
  const cutHere = { start: index, end: index };
  if (!segment) return cutHere;
  const start = first + segment.index;
  const end = start + segment.segment.length;
  const startsBefore = start === first && first > 0;
  const endsAfter = end === index + WINDOW && end < text.length;
  return startsBefore || endsAfter ? cutHere : { start, end };
}
