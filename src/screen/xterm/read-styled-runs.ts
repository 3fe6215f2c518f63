/** Reads xterm's cells as runs, so that only this folder knows xterm's cells. */
import type { IBufferCell } from '@xterm/headless';
import type { CellColor, CellStyle, StyledRun } from './styled-runs.ts';
import type { Xterm } from './xterm.ts';

/** The runs of one row of the screen, from left to right, of the characters that end within `toCol`. */
export function styledRunsOfRow({ terminal }: Xterm, row: number, toCol: number): StyledRun[] {
  const buffer = terminal.buffer.active;
  const line = buffer.getLine(buffer.baseY + row);
  const runs: StyledRun[] = [];
  const cell = buffer.getNullCell();
  let foreground = -1;
  let background = -1;
  let flags = -1;
  for (let col = 0; line !== undefined && col < terminal.cols; ) {
    line.getCell(col, cell);
    const width = cell.getWidth() || 1;
    if (col + width > toCol) break;
    // Compared as numbers, because a style object for each cell would take most of the time.
    const fg = cell.getFgColorMode() | cell.getFgColor();
    const bg = cell.getBgColorMode() | cell.getBgColor();
    const cellFlags = flagsOf(cell);
    if (fg !== foreground || bg !== background || cellFlags !== flags) {
      runs.push({ col, width: 0, text: '', style: styleOf(cell) });
      [foreground, background, flags] = [fg, bg, cellFlags];
    }
    const run = runs.at(-1)!;
    run.width += width;
    run.text += cell.getChars() || ' ';
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
