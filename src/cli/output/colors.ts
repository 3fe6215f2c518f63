/**
 * Colours and durations for people. A pipe, a file and `NO_COLOR` (https://no-color.org) get no
 * colours.
 */
const codes = {
  bold: ['1', '22'],
  dim: ['2', '22'],
  red: ['31', '39'],
  green: ['32', '39'],
  yellow: ['33', '39'],
  blue: ['34', '39'],
  magenta: ['35', '39'],
  cyan: ['36', '39'],
} as const;

export type TextColors = Readonly<Record<keyof typeof codes, (text: string) => string>>;

const hasColors = (stream: NodeJS.WriteStream): boolean =>
  stream.isTTY === true && !process.env.NO_COLOR && process.env.TERM !== 'dumb';

export const textColorsFor = (stream: NodeJS.WriteStream): TextColors => {
  const isColored = hasColors(stream);
  const paint = ([on, off]: readonly [string, string]) =>
    isColored ? (text: string) => `\x1b[${on}m${text}\x1b[${off}m` : (text: string) => text;
  return Object.fromEntries(
    Object.entries(codes).map(([name, code]) => [name, paint(code)]),
  ) as unknown as TextColors;
};
