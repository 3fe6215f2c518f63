/** The colours of pictures. What a program prints are mostly numbers: which colour each is, is our choice. */
import type { CellStyle } from '../screen/xterm/styled-runs.ts';

/** 0xrrggbb. */
export type Rgb = number;

/**
 * Dark and light ones of the palette are far enough apart to be read on each other: programs print cyan
 * on blue, and black on green.
 */
const theme = {
  text: 0xd8dee9,
  background: 0x191c22,
  /** The first eight, then the bright ones. */
  palette: [
    0x000000, 0xd64545, 0x4eb14e, 0xc9a227, 0x2c56c8, 0xb04fb8, 0x2fb5b5, 0xd0d4da, 0x7b828e,
    0xff7575, 0x7fe07f, 0xffd85e, 0x6f9bff, 0xe58ae8, 0x6fe6e6, 0xffffff,
  ],
} as const;

export const { text: TEXT_COLOUR, background: BACKGROUND_COLOUR } = theme;

/** What the letters of a cell, and what is behind them, look like. */
export interface CellColours {
  ink: Rgb;
  paper: Rgb;
}

export const coloursOf = ({ fg, bg, bold, dim, inverse, invisible }: CellStyle): CellColours => {
  // As most terminals do it. Programs of old rely on it: bold black is their grey.
  const letters = bold && typeof fg === 'number' && fg < 8 ? fg + 8 : fg;
  const written = letters === undefined ? TEXT_COLOUR : rgbOfColour(letters);
  const behind = bg === undefined ? BACKGROUND_COLOUR : rgbOfColour(bg);
  const [ink, paper] = inverse ? [behind, written] : [written, behind];
  if (invisible) return { ink: paper, paper };
  return { ink: dim ? mixColours(ink, paper, 0.5) : ink, paper };
};

const rgbOfColour = (colour: number | string): Rgb =>
  typeof colour === 'number' ? rgbOfNumber(colour) : Number.parseInt(colour.slice(1), 16);

/** After the first 16 come a cube of 6x6x6 colours, and 24 greys. */
const rgbOfNumber = (number: number): Rgb => {
  if (number < 16) return theme.palette[number]!;
  if (number >= 232) return (8 + 10 * (number - 232)) * 0x010101;
  const level = (step: number) => (step === 0 ? 0 : 55 + 40 * step);
  const inCube = number - 16;
  const [red, green, blue] = [Math.floor(inCube / 36), Math.floor(inCube / 6) % 6, inCube % 6];
  return (level(red!) << 16) | (level(green!) << 8) | level(blue!);
};

/** `share`: how much of the second one, from 0 to 1. */
export const mixColours = (one: Rgb, other: Rgb, share: number): Rgb => {
  let mixed = 0;
  for (const shift of [16, 8, 0]) {
    const [from, to] = [(one >> shift) & 0xff, (other >> shift) & 0xff];
    mixed |= Math.round(from + (to - from) * share) << shift;
  }
  return mixed;
};

/** As SVG takes it. */
export const hexOf = (colour: Rgb): string => `#${colour.toString(16).padStart(6, '0')}`;
