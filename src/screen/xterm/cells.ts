/** How xterm keeps cells: three words for each, and tables beside the row for what does not fit. */

export const WORDS_PER_CELL = 3;

/** The first word. */
export const CODE_POINT = 0x1fffff;
/** The text of the cell is in the table `_combined`. */
export const IS_COMBINED = 1 << 21;
export const HAS_CONTENT = CODE_POINT | IS_COMBINED;
export const WIDTH_SHIFT = 22;

/** The second and the third word: a colour and how to read it, the same bits in both. */
export const COLOUR_MODE = 0x3000000;
export const IS_RGB = 0x3000000;
export const RGB = 0xffffff;
export const PALETTE = 0xff;
/** Flags of the second word. */
export const IS_INVERSE = 1 << 26;
export const IS_BOLD = 1 << 27;
export const IS_INVISIBLE = 1 << 30;
/** Flags of the third word: the style of an underline is in the table `_extendedAttrs`. */
export const HAS_EXTENDED = 1 << 28;
export const IS_PROTECTED = 1 << 29;
