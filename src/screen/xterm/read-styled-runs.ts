/** Reads xterm's cells as runs, so that only this folder knows xterm's cells. */
import type { IBufferCell } from '@xterm/headless';
import type { CellColor, CellRun, CellStyle, StyledRun } from './styled-runs.ts';
import type { Xterm } from './xterm.ts';

/** The runs of one row of the screen, from left to right, of the characters that end within `toCol`. */
export const styledRunsOfRow = (xterm: Xterm, row: number, toCol: number): StyledRun[] =>
  readRuns(xterm, row, toCol, () => false);

/** Those of the whole row, but wide characters and those of several units are runs of their own. */
export const cellRunsOfRow = (xterm: Xterm, row: number): CellRun[] =>
  readRuns(xterm, row, xterm.terminal.cols, isSingle);

const isSingle = (text: string, width: number): boolean => text.length > 1 || width > 1;

function readRuns(
  { terminal }: Xterm,
  row: number,
  toCol: number,
  standsAlone: (text: string, width: number) => boolean,
): CellRun[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + row);
  const runs: CellRun[] = [];
  const cell = buffer.getNullCell();
  let foreground = -1;
  let background = -1;
  let flags = -1;
  let wasAlone = false;
  for (let col = 0; line !== undefined && col < terminal.cols; ) {
    line.getCell(col, cell);
    const width = cell.getWidth() || 1;
    if (col + width > toCol) break;
    // Compared as numbers, because a style object for each cell would take most of the time.
    const fg = cell.getFgColorMode() | cell.getFgColor();
    const bg = cell.getBgColorMode() | cell.getBgColor();
    const cellFlags = flagsOf(cell);
    const text = cell.getChars() || ' ';
    const isAlone = standsAlone(text, width);
    if (isAlone || wasAlone || fg !== foreground || bg !== background || cellFlags !== flags) {
      const style = styleOf(cell);
      runs.push({ col, width: 0, text: '', style, ...(isAlone && { isSingle: true }) });
      [foreground, background, flags, wasAlone] = [fg, bg, cellFlags, isAlone];
    }
    const run = runs.at(-1)!;
    run.width += width;
    run.text += text;
    col += width;
  }
  return runs;
}

const flagsOf = (cell: IBufferCell): number =>
  (cell.isBold() ? 1 : 0) |
  (cell.isDim() ? 2 : 0) |
  (cell.isItalic() ? 4 : 0) |
  (cell.isUnderline() ? 8 : 0) |
  (cell.isInverse() ? 16 : 0) |
  (cell.isInvisible() ? 32 : 0) |
  (cell.isStrikethrough() ? 64 : 0);

const styleOf = (cell: IBufferCell): CellStyle => ({
  ...(cell.isFgDefault() ? {} : { fg: colour(cell.isFgRGB(), cell.getFgColor()) }),
  ...(cell.isBgDefault() ? {} : { bg: colour(cell.isBgRGB(), cell.getBgColor()) }),
  ...(cell.isBold() && { bold: true as const }),
  ...(cell.isDim() && { dim: true as const }),
  ...(cell.isItalic() && { italic: true as const }),
  ...(cell.isUnderline() && { underline: true as const }),
  ...(cell.isInverse() && { inverse: true as const }),
  ...(cell.isInvisible() && { invisible: true as const }),
  ...(cell.isStrikethrough() && { strikethrough: true as const }),
});

const colour = (isRgb: boolean, value: number): CellColor =>
  isRgb ? `#${value.toString(16).padStart(6, '0')}` : value;
