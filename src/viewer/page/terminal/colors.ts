/** The terminal's colours for light and dark, of screens and miniatures alike. */
import type { ITheme } from '@xterm/xterm';

/** Of the sixteen first colours, each at least 4.5:1 on its background where it is text. */
const dark = {
  background: '#14171c',
  foreground: '#d7dbe2',
  dim: '#8b93a1',
  palette: [
    ...['#2b303a', '#f0717b', '#7fca8c', '#e0bb6a', '#77aef5', '#c994ea', '#63c7cc', '#d7dbe2'],
    ...['#7a8292', '#ff9299', '#9fe0a9', '#f2d288', '#9cc6ff', '#dcb2f7', '#86dfe3', '#ffffff'],
  ],
};
const light = {
  background: '#fcfcfa',
  foreground: '#22262d',
  dim: '#646b78',
  palette: [
    ...['#22262d', '#b3202d', '#22702f', '#7d5700', '#1a56b4', '#7c33a8', '#0f6a70', '#5c636f'],
    ...['#545b67', '#c62f3b', '#2a7d38', '#8a6100', '#2463c4', '#8b3fb9', '#147279', '#22262d'],
  ],
};

const query = matchMedia('(prefers-color-scheme: dark)');

export const terminalColors = () => (query.matches ? dark : light);

export const onColorScheme = (listener: () => void): (() => void) => {
  query.addEventListener('change', listener);
  return () => query.removeEventListener('change', listener);
};

const names = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

export const terminalTheme = (): ITheme => {
  const { background, foreground, palette } = terminalColors();
  const selectionBackground = query.matches ? '#3d4d6b' : '#c9dcf7';
  const basic = names.map((name, index) => [name, palette[index]]);
  const bright = names.map((name, index) => [
    `bright${name[0]!.toUpperCase()}${name.slice(1)}`,
    palette[index + 8],
  ]);
  return {
    ...{
      background,
      foreground,
      cursor: foreground,
      cursorAccent: background,
      selectionBackground,
    },
    ...Object.fromEntries([...basic, ...bright]),
  };
};

/** A colour of a miniature, as CSS says it. */
export const cssColor = (color: number | string): string => {
  const { background, foreground, dim, palette } = terminalColors();
  if (color === 'background') return background;
  if (color === 'foreground') return foreground;
  if (color === 'dim') return dim;
  if (typeof color === 'string') return color;
  if (color < 16) return palette[color]!;
  if (color >= 232) {
    const level = 8 + (color - 232) * 10;
    return `rgb(${level},${level},${level})`;
  }
  const cube = color - 16;
  const part = (value: number) => (value === 0 ? 0 : 55 + value * 40);
  return `rgb(${part(Math.floor(cube / 36))},${part(Math.floor(cube / 6) % 6)},${part(cube % 6)})`;
};
