/** A screen as the overview draws it: the rows that are used, in runs of one colour. */
import { Screen } from '../screen/screen.ts';
import type { CellStyle, VisibleRun } from '../screen/xterm/styled-runs.ts';
import type { Miniature, MiniatureRun } from './page-messages.ts';
import type { ScreenNow } from './viewer-sessions.ts';

/** What still can be told apart at a card's width. */
const MAX_COLS = 132;
const MAX_ROWS = 48;

export const drawMiniature = ({ session, dump, cols, rows }: ScreenNow): Miniature => {
  const screen = new Screen({ cols, rows, history: { maxBytes: 0, maxLines: 0 } });
  try {
    screen.write(Buffer.from(dump));
    const all = Array.from({ length: rows }, (_, row) => rowOfRuns(screen.grid.visibleRuns(row)));
    const used = all.slice(0, all.findLastIndex((row) => row.length > 0) + 1);
    return { session, cols: Math.min(cols, MAX_COLS), rows: used.slice(-MAX_ROWS) };
  } finally {
    screen.dispose();
  }
};

const rowOfRuns = (runs: readonly VisibleRun[]): MiniatureRun[] => {
  const drawn: MiniatureRun[] = [];
  let width = 0;
  for (const run of runs) {
    if (width >= MAX_COLS) break;
    // Hidden text leaves its cells blank.
    const text = run.text.padEnd(run.width).slice(0, MAX_COLS - width);
    width += run.width;
    drawn.push(withColors(text, run.style));
  }
  return withoutBlankEnd(drawn);
};

const withoutBlankEnd = (runs: readonly MiniatureRun[]): MiniatureRun[] => {
  const last = runs.findLastIndex((run) => !isBlank(run));
  const [text, foreground, background] = runs[last] ?? [''];
  if (background != null || last === -1) return runs.slice(0, last + 1);
  return [
    ...runs.slice(0, last),
    foreground == null ? [text.trimEnd()] : [text.trimEnd(), foreground],
  ];
};

const isBlank = ([text, , background]: MiniatureRun): boolean =>
  background == null && text.trim() === '';

const withColors = (text: string, { fg, bg, inverse, dim }: CellStyle): MiniatureRun => {
  // Without colours of its own, an inverse cell has those of the page, exchanged.
  if (inverse) return [text, bg ?? 'background', fg ?? 'foreground'];
  const foreground = fg ?? (dim ? 'dim' : null);
  if (bg !== undefined) return [text, foreground, bg];
  return foreground === null ? [text] : [text, foreground];
};
