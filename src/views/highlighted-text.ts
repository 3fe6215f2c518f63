/**
 * Finds the text that stands out on a screen: in reverse, or on another background than most cells.
 *
 * A person sees at once which entry of a menu is chosen. The plain text of the rows does not show
 * it.
 */
import type { Screen } from '../screen/screen.ts';

/** For example the chosen entry of a menu, or a status line. */
export interface HighlightedText {
  row: number;
  col: number;
  text: string;
}

/** A menu has a few. A picture made of coloured cells would have thousands. */
const MAX_HIGHLIGHTS = 500;
/** No more are counted: that many are a picture. */
const MAX_COLOURS = 1000;

/** @internal */
export function findHighlightedText(screen: Screen, rows: number): HighlightedText[] {
  // Most rows have one background, which is found much faster than those of all cells.
  const common = Array.from({ length: rows }, (_, row) => screen.grid.commonBackground(row));
  const usual = usualBackground(screen, common);
  const found: HighlightedText[] = [];
  for (let row = 0; row < rows; row++) {
    if (common[row] === usual) continue;
    for (const { col, end, background } of stretchesOf(screen.grid.backgrounds(row))) {
      if (background === usual) continue;
      if (found.length === MAX_HIGHLIGHTS) return found;
      const { text } = screen.grid.visibleRow(row, col, end);
      if (text.trim() !== '') found.push({ row, col, text });
    }
  }
  return found;
}

/** The one behind most cells. */
const usualBackground = (screen: Screen, common: readonly (number | undefined)[]): number => {
  const { cols } = screen.modes;
  const cellCounts = new Map<number, number>();
  const add = (background: number, cells: number) => {
    const count = cellCounts.get(background);
    if (count === undefined && cellCounts.size === MAX_COLOURS) return;
    cellCounts.set(background, (count ?? 0) + cells);
  };
  for (const [row, background] of common.entries()) {
    if (background !== undefined) add(background, cols);
    else
      for (const stretch of stretchesOf(screen.grid.backgrounds(row)))
        add(stretch.background, stretch.end - stretch.col);
  }
  const [usual] = [...cellCounts].sort(([, a], [, b]) => b - a)[0] ?? [0];
  return usual;
};

interface Stretch {
  col: number;
  end: number;
  background: number;
}

/** Adjacent cells on the same background. */
function* stretchesOf(backgrounds: Uint32Array): Generator<Stretch> {
  for (let col = 0, end = 0; col < backgrounds.length; col = end) {
    const background = backgrounds[col]!;
    end = col + 1;
    while (end < backgrounds.length && backgrounds[end] === background) end++;
    yield { col, end, background };
  }
}
