/** The screen view: the rows that a person sees now, and the text that stands out on them. */

import type { Screen } from '../screen/screen.ts';
import type { CellStyle } from '../screen/xterm/styled-runs.ts';
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
  const shown = Array.from({ length: rows }, (_, at) => screen.grid.visibleRow(at));
  return {
    lines: trimBlankRows(shown.map(({ text }) => text)),
    hidden: shown.map(({ hidden }) => hidden),
    cursor: { col: Math.min(col, cols - 1), row, visible: cursorVisible },
    cols,
    rows,
    title: screen.title,
    alternate: alternateScreen,
    marked: findHighlightedText(screen, rows),
    ...(styles && { styles: stylesOf(screen, rows) }),
    position: screen.position,
  };
}

const trimBlankRows = (lines: string[]): string[] =>
  lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

const stylesOf = (screen: Screen, rows: number): PlacedStyle[] =>
  Array.from({ length: rows }, (_, at) => screen.grid.visibleRuns(at)).flatMap((runs, row) =>
    runs
      .filter(({ style }) => Object.keys(style).length > 0)
      .map(({ col, text, style }) => ({ row, col, text: text.trimEnd(), ...style })),
  );
