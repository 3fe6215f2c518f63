/**
 * What stands out on a screen: drawn on another background than most of it, or in reverse.
 *
 * A person sees at once which entry of a menu is chosen; plain rows do not tell.
 */
import type { CellStyle, StyledRun } from '../screen/xterm/styled-runs.ts';

/** Such as the chosen entry of a menu, or a status line. */
export interface MarkedText {
  row: number;
  col: number;
  text: string;
}

export function markedOn(rows: readonly (readonly StyledRun[])[]): MarkedText[] {
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

/** The colour a person sees behind the text. */
const background = ({ bg, fg, inverse }: CellStyle) => (inverse ? (fg ?? 'text') : (bg ?? 'none'));

/** Runs side by side on one background are one, whatever colours their letters have. */
function joined(runs: readonly StyledRun[]): StyledRun[] {
  const wider: StyledRun[] = [];
  for (const run of runs) {
    const last = wider.at(-1);
    const goesOn = last !== undefined && last.col + last.width === run.col;
    if (goesOn && background(last.style) === background(run.style)) {
      last.width += run.width;
      last.text += run.text;
    } else wider.push({ ...run });
  }
  return wider;
}
