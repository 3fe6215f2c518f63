/** The image view: a screen as data, from which a picture of it can be drawn. */
import type { Screen } from '../screen/screen.ts';
import type { CellRun } from '../screen/xterm/styled-runs.ts';

export interface ScreenPicture {
  cols: number;
  rows: number;
  /** Both from 0. Absent if it is hidden. */
  cursor?: { col: number; row: number };
  /** Of each row, from left to right. What is blank at the end of a row is absent. */
  runs: CellRun[][];
}

/** No model takes larger images: 8,000 pixels a side, of which a cell has up to 18. */
const MAX_COLS = 800;
const MAX_ROWS = 400;
/** Takes a fifth of a second to draw. */
const MAX_CELLS = 40_000;

/** Undefined if the screen is too large. @internal */
export const makeScreenPicture = (screen: Screen): ScreenPicture | undefined => {
  const { cols, rows, cursorVisible } = screen.modes;
  if (cols > MAX_COLS || rows > MAX_ROWS || cols * rows > MAX_CELLS) return undefined;
  const { col, row } = screen.cursor;
  return {
    cols,
    rows,
    ...(cursorVisible && { cursor: { col: Math.min(col, cols - 1), row } }),
    runs: Array.from({ length: rows }, (_, at) => withoutBlankEnd(screen.grid.cellRuns(at))),
  };
};

const withoutBlankEnd = (runs: CellRun[]): CellRun[] =>
  runs.slice(0, runs.findLastIndex((run) => !isBlank(run)) + 1);

const isBlank = ({ text, style }: CellRun): boolean =>
  text.trim() === '' && Object.keys(style).every((name) => name === 'fg' || name === 'bold');

/** `mask` gets the text of all rows, and returns one of the same length. @internal */
export const maskPicture = (
  picture: ScreenPicture,
  mask: (text: string) => string,
): ScreenPicture => {
  const text = picture.runs.map((row) => row.map((run) => run.text).join('')).join('\n');
  const masked = mask(text);
  if (masked === text) return picture;
  let at = 0;
  const maskRun = (run: CellRun): CellRun => {
    const shown = masked.slice(at, at + run.text.length);
    at += run.text.length;
    if (shown === run.text || !run.isSingle) return { ...run, text: shown };
    const { isSingle: _, ...rest } = run;
    return { ...rest, text: '*'.repeat(run.width) };
  };
  const runs = picture.runs.map((row) => {
    const shown = row.map(maskRun);
    // The line end.
    at++;
    return shown;
  });
  return { ...picture, runs };
};
