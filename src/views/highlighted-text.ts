/**
 * Finds the text that stands out on a screen: in reverse, or on another background than most cells.
 *
 * A person sees at once which entry of a menu is chosen. The plain text of the rows does not show
 * it.
 */
import type { CellStyle, StyledRun } from '../screen/xterm/styled-runs.ts';

/** For example the chosen entry of a menu, or a status line. */
export interface HighlightedText {
  row: number;
  col: number;
  text: string;
}

export function findHighlightedText(rows: readonly (readonly StyledRun[])[]): HighlightedText[] {
  const cellCounts = new Map<string | number, number>();
  for (const { style, width } of rows.flat()) {
    cellCounts.set(background(style), (cellCounts.get(background(style)) ?? 0) + width);
  }
  const [usual] = [...cellCounts].sort(([, a], [, b]) => b - a)[0] ?? ['none'];
  return rows.flatMap((runs, row) =>
    joinRuns(runs.filter(({ style }) => background(style) !== usual))
      .map(({ col, text }) => ({ row, col, text: text.trimEnd() }))
      .filter(({ text }) => text.trim() !== ''),
  );
}

/** The colour a person sees behind the text. */
const background = ({ bg, fg, inverse }: CellStyle) => (inverse ? (fg ?? 'text') : (bg ?? 'none'));

/** Joins adjacent runs on the same background, even if the colours of their letters differ. */
function joinRuns(runs: readonly StyledRun[]): StyledRun[] {
  const merged: StyledRun[] = [];
  for (const run of runs) {
    const last = merged.at(-1);
    const isAdjacent = last !== undefined && last.col + last.width === run.col;
    if (isAdjacent && background(last.style) === background(run.style)) {
      last.width += run.width;
      last.text += run.text;
    } else merged.push({ ...run });
  }
  return merged;
}
