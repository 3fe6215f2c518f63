/** Writes a screen as bytes for a viewer that joins late: xterm's serializer and what it misses. */

import { rowAt } from '../lines/rows.ts';
import { readScreenModes } from '../sequences/modes.ts';
import type { Xterm, XtermCore, XtermRow } from './xterm.ts';

export function dumpScreen(xterm: Xterm, title: string): string {
  const { core, serializer, terminal } = xterm;
  const { scrollTop, scrollBottom, x, y } = core.buffers.active;
  const { cursorVisible, mouseEncoding } = readScreenModes(xterm);
  const { originMode } = terminal.modes;
  let bytes = withoutEmptyWraps(core, () => serializer.serialize({ scrollback: 0 }))
    // The serializer switches screens without resetting the colours of the normal one.
    .replace('\x1b[?1049h', '\x1b[m\x1b[?1049h');
  const hasMargins = scrollTop !== 0 || scrollBottom !== terminal.rows - 1;
  if (hasMargins) bytes += `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  // Margins and origin mode both move the cursor home, and in origin mode rows count from the top
  // margin. Only the serializer can put the cursor after the last column. Elsewhere its cursor may
  // be wrong, so it is set here.
  if (hasMargins || originMode || x < terminal.cols) {
    bytes += `\x1b[${y + 1 - (originMode ? scrollTop : 0)};${Math.min(x + 1, terminal.cols)}H`;
  }
  if (mouseEncoding === 'sgr') bytes += '\x1b[?1006h';
  if (!cursorVisible) bytes += '\x1b[?25l';
  if (title !== '') bytes += `\x1b]2;${title}\x1b\\`;
  return bytes;
}

/**
 * If a line wraps from or to an empty cell, the serializer fills that cell to make the line wrap,
 * and does not always clear it again. So such rows are serialized as separate lines.
 */
function withoutEmptyWraps(core: XtermCore, serialize: () => string): string {
  const unwrapped: XtermRow[] = [];
  for (const grid of [core.buffers.normal, core.buffers.alt]) {
    for (let index = 1; index < grid.lines.length; index++) {
      const row = rowAt(grid, index);
      const above = rowAt(grid, index - 1);
      const isFilled = row.hasContent(0) && above.getTrimmedLength() === above.length;
      if (row.isWrapped && !isFilled) unwrapped.push(row);
    }
  }
  for (const row of unwrapped) row.isWrapped = false;
  try {
    return serialize();
  } finally {
    for (const row of unwrapped) row.isWrapped = true;
  }
}
