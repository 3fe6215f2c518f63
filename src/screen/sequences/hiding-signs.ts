/**
 * The bytes of output that can hide text from a person: parameters of SGR, and UTF-8 of characters that
 * no terminal draws (invisible-characters.ts). Both say yes a little too often.
 */

/** Conceals, or sets a background, which letters may have as their colour. */
export const canConceal = (parameter: number): boolean =>
  parameter === 8 || (parameter >= 40 && parameter <= 48) || (parameter >= 100 && parameter <= 107);

/** The first bytes of the characters below. */
export const INVISIBLE_LEADS: readonly number[] = [0xcd, 0xd8, 0xe1, 0xe2, 0xef, 0xf0, 0xf3];

/** Whether the character that begins here is invisible. Undefined if the bytes end too early to say. */
export const beginsInvisible = (bytes: Uint8Array, at: number): boolean | undefined => {
  const second = bytes[at + 1];
  const third = bytes[at + 2];
  if (second === undefined || third === undefined) return undefined;
  switch (bytes[at]) {
    case 0xe2:
      // U+200B to U+200F, U+202A to U+202E, U+2060 to U+206F
      if (second === 0x81) return third >= 0xa0 && third <= 0xaf;
      if (second !== 0x80) return false;
      return (third >= 0x8b && third <= 0x8f) || (third >= 0xaa && third <= 0xae);
    case 0xef:
      // U+FE00 to U+FE0F, U+FEFF, U+FFF0 to U+FFFB
      if (second === 0xb8) return third <= 0x8f;
      if (second === 0xbb) return third === 0xbf;
      return second === 0xbf && third >= 0xb0 && third <= 0xbb;
    case 0xe1:
      // U+115F, U+1160, U+17B4, U+17B5, U+180B to U+180F
      if (second === 0x85) return third === 0x9f || third === 0xa0;
      if (second === 0x9e) return third === 0xb4 || third === 0xb5;
      return second === 0xa0 && third >= 0x8b && third <= 0x8f;
    case 0xf0:
      // U+1BCA0 to U+1BCA3, U+1D173 to U+1D17A
      return (second === 0x9b && third === 0xb2) || (second === 0x9d && third === 0x85);
    case 0xf3:
      // U+E0000 to U+E0FFF
      return second === 0xa0;
    case 0xd8:
      // U+061C
      return second === 0x9c;
    default:
      // U+034F
      return second === 0x8f;
  }
};
