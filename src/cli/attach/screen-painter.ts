/** Draws a screen into a window by rows: those that have changed, and of each what fits. */

import type { Screen } from '../../screen/screen.ts';
import type { CellColor, CellStyle, StyledRun } from '../../screen/xterm/styled-runs.ts';
import type { TerminalWindow } from './display.ts';

const flags = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  inverse: 7,
  invisible: 8,
  strikethrough: 9,
} as const;

export class ScreenPainter {
  readonly #window: TerminalWindow;
  #drawn: string[] = [];

  constructor(window: TerminalWindow) {
    this.#window = window;
  }

  paint(screen: Screen): void {
    const { cols, rows, write } = this.#window;
    const { rows: screenRows, cursorVisible } = screen.modes;
    // A window that is too low shows where the cursor is.
    const { row, col } = screen.cursor;
    const top = Math.max(0, Math.min(row - rows + 1, screenRows - rows));
    let bytes = '';
    for (let at = 0; at < Math.min(rows, screenRows); at++) {
      const text = rowBytes(screen.rowRuns(top + at), cols);
      if (this.#drawn[at] !== text) bytes += `\x1b[${at + 1};1H\x1b[0m\x1b[2K${text}\x1b[0m`;
      this.#drawn[at] = text;
    }
    const place = `\x1b[${row - top + 1};${Math.min(col, cols - 1) + 1}H`;
    write(`\x1b[?2026h\x1b[?25l${bytes}${place}${cursorVisible ? '\x1b[?25h' : ''}\x1b[?2026l`);
  }
}

/** Blanks at the end of a row are left to the erasing before it, unless they look like something. */
const rowBytes = (runs: readonly StyledRun[], cols: number): string => {
  let bytes = '';
  let left = cols;
  for (const [at, { text, width, style }] of runs.entries()) {
    const isLast = at === runs.length - 1;
    const fitting = width <= left ? text : cropped(text, width, left);
    const isPlain = Object.keys(style).length === 0;
    bytes += `${sgr(style)}${isLast && isPlain ? fitting.trimEnd() : fitting}`;
    left -= width;
    if (left <= 0) break;
  }
  return bytes;
};

/** With wide characters in it, half as many surely fit. */
const cropped = (text: string, width: number, cols: number): string => {
  const characters = [...text];
  return characters.slice(0, characters.length === width ? cols : Math.floor(cols / 2)).join('');
};

const sgr = (style: CellStyle): string => {
  const set = Object.entries(flags).flatMap(([name, code]) =>
    style[name as keyof typeof flags] ? [code] : [],
  );
  const colours = [...colour(style.fg, 38), ...colour(style.bg, 48)];
  return `\x1b[${[0, ...set, ...colours].join(';')}m`;
};

const colour = (value: CellColor | undefined, code: 38 | 48): readonly (string | number)[] => {
  if (value === undefined) return [];
  if (typeof value === 'number') return [code, 5, value];
  const rgb = Number.parseInt(value.slice(1), 16);
  return [code, 2, (rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
};

/** The rows down to the last that has something on it, with their colours. */
export const screenAsLines = (screen: Screen, cols: number): string[] => {
  const { rows } = screen.modes;
  const lines = Array.from({ length: rows }, (_, row) => rowBytes(screen.rowRuns(row), cols));
  const texts = Array.from({ length: rows }, (_, row) => screen.rowText(row));
  const end = texts.findLastIndex((text) => text !== '') + 1;
  return lines.slice(0, end).map((line) => `${line}\x1b[0m`);
};
