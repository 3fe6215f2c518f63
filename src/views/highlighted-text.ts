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

export function findHighlightedText(screen: Screen, rows: number): HighlightedText[] {
  const usual = usualBackground(screen, rows);
  const found: HighlightedText[] = [];
  for (let row = 0; row < rows; row++) {
    for (const { col, end } of stretchesBeside(usual, screen.backgrounds(row))) {
      if (found.length === MAX_HIGHLIGHTS) return found;
      const text = screen.shownText(row, col, end);
      if (text.trim() !== '') found.push({ row, col, text });
    }
  }
  return found;
}

/** The one behind most cells. */
const usualBackground = (screen: Screen, rows: number): number => {
  const cellCounts = new Map<number, number>();
  for (let row = 0; row < rows; row++) {
    const backgrounds = screen.backgrounds(row);
    for (let col = 0, end = 0; col < backgrounds.length; col = end) {
      end = endOfStretch(backgrounds, col);
      const background = backgrounds[col]!;
      const count = cellCounts.get(background);
      if (count !== undefined || cellCounts.size < MAX_COLOURS)
        cellCounts.set(background, (count ?? 0) + end - col);
    }
  }
  const [usual] = [...cellCounts].sort(([, a], [, b]) => b - a)[0] ?? [0];
  return usual;
};

/** Adjacent cells on the same background, other than this one. */
function* stretchesBeside(
  usual: number,
  backgrounds: Uint32Array,
): Generator<{ col: number; end: number }> {
  for (let col = 0, end = 0; col < backgrounds.length; col = end) {
    end = endOfStretch(backgrounds, col);
    if (backgrounds[col] !== usual) yield { col, end };
  }
}

const endOfStretch = (backgrounds: Uint32Array, col: number): number => {
  let end = col + 1;
  while (end < backgrounds.length && backgrounds[end] === backgrounds[col]) end++;
  return end;
};
