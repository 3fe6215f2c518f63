/** A row of a screen as SVG: what is behind its cells, and its letters in the viewer's own font. */
import type { CellRun, CellStyle } from '../screen/xterm/styled-runs.ts';
import { BACKGROUND_COLOUR, coloursOf, hexOf, TEXT_COLOUR } from './theme.ts';

/** Fits most monospace fonts at 14 pixels; letters are stretched to it. */
export const SVG_CELL = { width: 8.4, height: 18 };
const BASELINE = 13;
const CURSOR_OPACITY = 0.6;

export const SVG_STYLE = `text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:${hexOf(TEXT_COLOUR)};white-space:pre}
.b{font-weight:bold}.i{font-style:italic}.u{text-decoration:underline}.s{text-decoration:line-through}`;

export const svgCursor = ({ col, row }: { col: number; row: number }): string =>
  `<rect x="${rounded(col * SVG_CELL.width)}" y="${row * SVG_CELL.height}" width="${SVG_CELL.width}" height="${SVG_CELL.height}" fill="${hexOf(TEXT_COLOUR)}" fill-opacity="${CURSOR_OPACITY}"/>`;

/** With its upper left corner at 0,0. Empty for a blank row. */
export const svgRow = (runs: readonly CellRun[]): string => {
  const rects = runs.map(rectOf).join('');
  const spans = runs.map(spanOf).join('');
  return spans === '' ? rects : `${rects}<text y="${BASELINE}">${spans}</text>`;
};

const rectOf = ({ col, width, style }: CellRun): string => {
  const { paper } = coloursOf(style);
  if (paper === BACKGROUND_COLOUR) return '';
  return `<rect x="${rounded(col * SVG_CELL.width)}" width="${widthOf(width)}" height="${SVG_CELL.height}" fill="${hexOf(paper)}"/>`;
};

const spanOf = (run: CellRun): string => {
  const { style, text } = run;
  // Where lines are drawn through blanks, they are seen.
  const isLined = style.underline || style.strikethrough;
  const start = isLined ? 0 : text.length - text.trimStart().length;
  const shown = isLined || run.isSingle ? text : text.trim();
  if (shown === '') return '';
  const x = rounded((run.col + start) * SVG_CELL.width);
  const length = widthOf(run.isSingle ? run.width : shown.length);
  return `<tspan x="${x}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${looksOf(style)}>${escaped(shown)}</tspan>`;
};

const looksOf = (style: CellStyle): string => {
  const { ink } = coloursOf(style);
  const classes = [
    style.bold ? 'b' : '',
    style.italic ? 'i' : '',
    style.underline ? 'u' : '',
    style.strikethrough ? 's' : '',
  ].filter((name) => name !== '');
  const look = classes.length > 0 ? ` class="${classes.join(' ')}"` : '';
  return ink === TEXT_COLOUR ? look : `${look} style="fill:${hexOf(ink)}"`;
};

const widthOf = (cells: number): number => rounded(cells * SVG_CELL.width);
const rounded = (value: number): number => Math.round(value * 10) / 10;

const escaped = (text: string): string =>
  text
    // XML has no others.
    .replaceAll(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    // Blanks side by side would be drawn as one.
    .replaceAll(' ', '\u00a0');
