/** Draws a screen into a window: the rows that have changed, as far as they fit. */

import type { Screen } from '../../screen/screen.ts';
import type { CellColor, CellStyle, StyledRun } from '../../screen/xterm/styled-runs.ts';
import type { DisplayWindow } from './display.ts';

const styleCodes = {
  bold: 1,
  dim: 2,
  italic: 3,
  underline: 4,
  inverse: 7,
  invisible: 8,
  strikethrough: 9,
} as const;

export class ScreenPainter {
  readonly #window: DisplayWindow;
  #drawnRows: string[] = [];

  constructor(window: DisplayWindow) {
    this.#window = window;
  }

  paint(screen: Screen): void {
    const { cols, rows, write } = this.#window;
    const { rows: screenRows, cursorVisible } = screen.modes;
    // A window with too few rows shows the part with the cursor.
    const { row, col } = screen.cursor;
    const top = Math.max(0, Math.min(row - rows + 1, screenRows - rows));
    let bytes = '';
    for (let at = 0; at < Math.min(rows, screenRows); at++) {
      const text = rowBytes(screen.grid.rowRuns(top + at, cols));
      if (this.#drawnRows[at] !== text) bytes += `\x1b[${at + 1};1H\x1b[0m\x1b[2K${text}\x1b[0m`;
      this.#drawnRows[at] = text;
    }
    const moveCursor = `\x1b[${row - top + 1};${Math.min(col, cols - 1) + 1}H`;
    write(
      `\x1b[?2026h\x1b[?25l${bytes}${moveCursor}${cursorVisible ? '\x1b[?25h' : ''}\x1b[?2026l`,
    );
  }
}

/** Plain blanks at the end of a row are left out: `paint` has erased the row. */
const rowBytes = (runs: readonly StyledRun[]): string => {
  const texts = runs.map(({ text, style }, at) => {
    const isPlainEnd = at === runs.length - 1 && Object.keys(style).length === 0;
    return `${sgr(style)}${isPlainEnd ? text.trimEnd() : text}`;
  });
  return texts.join('');
};

const sgr = (style: CellStyle): string => {
  const styles = Object.entries(styleCodes).flatMap(([name, code]) =>
    style[name as keyof typeof styleCodes] ? [code] : [],
  );
  const colors = [...colorCodes(style.fg, 38), ...colorCodes(style.bg, 48)];
  return `\x1b[${[0, ...styles, ...colors].join(';')}m`;
};

const colorCodes = (value: CellColor | undefined, code: 38 | 48): readonly (string | number)[] => {
  if (value === undefined) return [];
  if (typeof value === 'number') return [code, 5, value];
  const rgb = Number.parseInt(value.slice(1), 16);
  return [code, 2, (rgb >> 16) & 255, (rgb >> 8) & 255, rgb & 255];
};

/** The rows with their colours, without blank rows at the end. */
export const screenAsLines = (screen: Screen, cols: number): string[] => {
  const { rows } = screen.modes;
  const lines = Array.from({ length: rows }, (_, row) => rowBytes(screen.grid.rowRuns(row, cols)));
  const texts = Array.from({ length: rows }, (_, row) => screen.grid.rowText(row));
  const end = texts.findLastIndex((text) => text !== '') + 1;
  return lines.slice(0, end).map((line) => `${line}\x1b[0m`);
};
