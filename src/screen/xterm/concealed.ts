/**
 * Tells from a cell's words whether a person can see what is written in it: not if it is concealed (SGR
 * 8), or has the colour of its background.
 *
 * Only what is surely so counts. The palette's first 16 colours and the default ones are chosen by the
 * terminal's user, so they are the same only if they have the same number.
 */
import { COLOUR_MODE, IS_BOLD, IS_INVISIBLE, IS_RGB, PALETTE, RGB } from './cells.ts';

/** Bold text in one of the first eight colours is often drawn in the bright one. */
const BRIGHTENED = 8;
/** Of each of red, green and blue, up to 255. Nobody sees that. */
const MAX_DIFFERENCE = 4;

/** `foreground` and `background`: the second and the third word of a cell. Inverse changes nothing. */
export const isConcealed = (foreground: number, background: number): boolean =>
  (foreground & IS_INVISIBLE) !== 0 ||
  ((background & COLOUR_MODE) !== 0 &&
    (foreground & COLOUR_MODE) !== 0 &&
    isSameColour(foreground, background));

const isSameColour = (foreground: number, background: number): boolean => {
  const isPalette = (foreground & COLOUR_MODE) !== IS_RGB && (background & COLOUR_MODE) !== IS_RGB;
  const number = foreground & PALETTE;
  if (isPalette && number === (background & PALETTE))
    return number >= BRIGHTENED || (foreground & IS_BOLD) === 0;
  const one = rgbOf(foreground);
  const other = rgbOf(background);
  return one !== undefined && other !== undefined && isNear(one, other);
};

const isNear = (one: number, other: number): boolean =>
  [16, 8, 0].every((shift) => {
    const difference = ((one >> shift) & 0xff) - ((other >> shift) & 0xff);
    return Math.abs(difference) <= MAX_DIFFERENCE;
  });

/** Undefined if the terminal's user chooses it. The others are a cube of 6x6x6 colours, and 24 greys. */
const rgbOf = (word: number): number | undefined => {
  if ((word & COLOUR_MODE) === IS_RGB) return word & RGB;
  const number = word & PALETTE;
  if (number < 16) return undefined;
  if (number >= 232) return (8 + 10 * (number - 232)) * 0x010101;
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const inCube = number - 16;
  const [red, green, blue] = [Math.floor(inCube / 36), Math.floor(inCube / 6) % 6, inCube % 6];
  return (level(red!) << 16) | (level(green!) << 8) | level(blue!);
};
