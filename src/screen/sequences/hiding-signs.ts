/**
 * The bytes of output that can hide text from a person: parameters of SGR, and UTF-8 of characters that
 * no terminal draws (invisible-characters.ts). Both say yes a little too often.
 */

/** Conceals, or sets a background, which letters may have as their colour. */
export const canConceal = (parameter: number): boolean =>
  parameter === 8 || (parameter >= 40 && parameter <= 48) || (parameter >= 100 && parameter <= 107);

/** By the first byte of a character: the second and third bytes of those that are invisible. */
const invisible: Readonly<Record<number, (second: number, third: number) => boolean>> = {
  // U+034F
  205: (second) => second === 0x8f,
  // U+061C
  216: (second) => second === 0x9c,
  // U+115F, U+1160, U+17B4, U+17B5, U+180B to U+180F
  225: (second, third) =>
    (second === 0x85 && (third === 0x9f || third === 0xa0)) ||
    (second === 0x9e && (third === 0xb4 || third === 0xb5)) ||
    (second === 0xa0 && third >= 0x8b && third <= 0x8f),
  // U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F
  226: (second, third) =>
    (second === 0x80 && ((third >= 0x8b && third <= 0x8f) || (third >= 0xaa && third <= 0xae))) ||
    (second === 0x81 && third >= 0xa0 && third <= 0xaf),
  // U+FE00 to U+FE0F, U+FEFF, U+FFF0 to U+FFFB
  239: (second, third) =>
    (second === 0xb8 && third <= 0x8f) ||
    (second === 0xbb && third === 0xbf) ||
    (second === 0xbf && third >= 0xb0 && third <= 0xbb),
  // U+1BCA0, U+1D173
  240: (second, third) =>
    (second === 0x9b && third === 0xb2) || (second === 0x9d && third === 0x85),
  // U+E0000 to U+E0FFF
  243: (second) => second === 0xa0,
};

export const INVISIBLE_LEADS: readonly number[] = Object.keys(invisible).map(Number);

/** Whether the character that begins here may be invisible. If the bytes end within it, it may. */
export const mayBeginInvisible = (bytes: Uint8Array, at: number): boolean => {
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (second === undefined) return true;
  return invisible[bytes[at]!]!(second, third ?? 0) || third === undefined;
};
