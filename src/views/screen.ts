/**
 * The screen view: what a person sees now, row by row, and what stands out on it.
 *
 * A person sees at once which entry of a menu is chosen; plain rows do not tell. So what is drawn on
 * another background than most of the screen, or in reverse, is listed as `marked`.
 */
import type { Run, Style } from '../screen/cells.ts';
import type { Screen } from '../screen/screen.ts';

export interface StyledRun extends Style {
  row: number;
  col: number;
  text: string;
}

export interface ScreenView {
  /** Without blanks at the end of a row, and without blank rows at the end. */
  lines: string[];
  /** Both from 0. */
  cursor: { col: number; row: number; visible: boolean };
  cols: number;
  rows: number;
  title: string;
  alternate: boolean;
  marked: Mark[];
  /** Every run that does not look like plain text, if asked for. */
  styles?: StyledRun[];
  position: number;
}

/** What stands out on a row, such as the chosen entry of a menu or a status line. */
export interface Mark {
  row: number;
  col: number;
  text: string;
}

export function screenView(screen: Screen, { styles = false } = {}): ScreenView {
  const { cols, rows, cursorVisible, alternateScreen } = screen.modes;
  const { col, row } = screen.cursor;
  const runs = Array.from({ length: rows }, (_, at) => screen.rowRuns(at));
  return {
    lines: withoutBlankEnd(runs.map(textOf)),
    cursor: { col: Math.min(col, cols - 1), row, visible: cursorVisible },
    cols,
    rows,
    title: screen.title,
    alternate: alternateScreen,
    marked: marksOf(runs),
    ...(styles && { styles: stylesOf(runs) }),
    position: screen.position,
  };
}

const textOf = (runs: readonly Run[]): string =>
  runs
    .map(({ text, style }) => (style.invisible ? ' '.repeat(text.length) : text))
    .join('')
    .replace(/ +$/, '');

const withoutBlankEnd = (lines: string[]): string[] =>
  lines.slice(0, lines.findLastIndex((line) => line !== '') + 1);

/** The colour a person sees behind the text. */
const background = ({ bg, fg, inverse }: Style) => (inverse ? (fg ?? 'text') : (bg ?? 'none'));

function marksOf(rows: readonly (readonly Run[])[]): Mark[] {
  const cells = new Map<string | number, number>();
  for (const { style, width } of rows.flat()) {
    cells.set(background(style), (cells.get(background(style)) ?? 0) + width);
  }
  const [most] = [...cells].sort(([, a], [, b]) => b - a)[0] ?? ['none'];
  return rows.flatMap((runs, row) =>
    joined(runs.filter(({ style }) => background(style) !== most))
      .map(({ col, text }) => ({ row, col, text: text.trimEnd() }))
      .filter(({ text }) => text.trim() !== ''),
  );
}

/** Runs side by side on one background are one mark, whatever colours their letters have. */
function joined(runs: readonly Run[]): Run[] {
  const marks: Run[] = [];
  for (const run of runs) {
    const last = marks.at(-1);
    const goesOn = last !== undefined && last.col + last.width === run.col;
    if (goesOn && background(last.style) === background(run.style)) {
      last.width += run.width;
      last.text += run.text;
    } else marks.push({ ...run });
  }
  return marks;
}

const stylesOf = (rows: readonly (readonly Run[])[]): StyledRun[] =>
  rows.flatMap((runs, row) =>
    runs
      .filter(({ style }) => Object.keys(style).length > 0)
      .map(({ col, text, style }) => ({ row, col, text: text.trimEnd(), ...style })),
  );
