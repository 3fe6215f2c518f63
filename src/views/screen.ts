/** The screen view: the rows that a person sees now, and the text that stands out on them. */

import type { Screen } from '../screen/screen.ts';
import type { CellStyle, VisibleRun } from '../screen/xterm/styled-runs.ts';
import { findHighlightedText, type HighlightedText } from './highlighted-text.ts';

interface PlacedStyle extends CellStyle {
  row: number;
  col: number;
  text: string;
}

export interface ScreenView {
  /** Without blanks at the end of a row, and without blank rows at the end. */
  lines: string[];
  /** How many characters of each row a person cannot see, and its line leaves out. */
  hidden: number[];
  /** Both from 0. */
  cursor: { col: number; row: number; visible: boolean };
  cols: number;
  rows: number;
  title: string;
  alternate: boolean;
  marked: HighlightedText[];
  /** Every run that does not look like plain text. Only with the option `styles`. */
  styles?: PlacedStyle[];
  position: number;
}

export function makeScreenView(screen: Screen, { styles = false } = {}): ScreenView {
  const { cols, rows, cursorVisible, alternateScreen } = screen.modes;
  const { col, row } = screen.cursor;
  const runs = Array.from({ length: rows }, (_, at) => screen.visibleRuns(at));
  return {
    lines: trimBlankRows(runs.map(textOf)),
    hidden: runs.map(hiddenIn),
    cursor: { col: Math.min(col, cols - 1), row, visible: cursorVisible },
    cols,
    rows,
    title: screen.title,
    alternate: alternateScreen,
    marked: findHighlightedText(runs),
    ...(styles && { styles: stylesOf(runs) }),
    position: screen.position,
  };
}

const textOf = (runs: readonly VisibleRun[]): string =>
  runs
    .map(({ text }) => text)
    .join('')
    .replace(/ +$/, '');

const hiddenIn = (runs: readonly VisibleRun[]): number =>
  runs.reduce((sum, { hidden = 0 }) => sum + hidden, 0);

const trimBlankRows = (lines: string[]): string[] =>
  lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

const stylesOf = (rows: readonly (readonly VisibleRun[])[]): PlacedStyle[] =>
  rows.flatMap((runs, row) =>
    runs
      .filter(({ style }) => Object.keys(style).length > 0)
      .map(({ col, text, style }) => ({ row, col, text: text.trimEnd(), ...style })),
  );
