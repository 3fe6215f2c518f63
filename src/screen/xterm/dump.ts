/** A screen as bytes, for somebody who joins late: what xterm's own serializer does, and the rest. */

import { rowAt } from '../lines/rows.ts';
import { readModes } from '../sequences/modes.ts';
import type { Core, Row, Xterm } from './xterm.ts';

export function dump(xterm: Xterm, title: string): string {
  const { core, serializer, terminal } = xterm;
  const { scrollTop, scrollBottom, x, y } = core.buffers.active;
  const { cursorVisible, mouseEncoding } = readModes(xterm);
  const { originMode } = terminal.modes;
  let bytes = withoutEmptyWraps(core, () => serializer.serialize({ scrollback: 0 }))
    // It leaves the normal screen in the colours in which the alternate one is not to begin.
    .replace('\x1b[?1049h', '\x1b[m\x1b[?1049h');
  const hasMargins = scrollTop !== 0 || scrollBottom !== terminal.rows - 1;
  if (hasMargins) bytes += `\x1b[${scrollTop + 1};${scrollBottom + 1}r`;
  // Margins and origin mode both send the cursor home, and rows then count from the top margin. Only
  // the serializer can leave it behind the last column, and elsewhere it may miss the place.
  if (hasMargins || originMode || x < terminal.cols) {
    bytes += `\x1b[${y + 1 - (originMode ? scrollTop : 0)};${Math.min(x + 1, terminal.cols)}H`;
  }
  if (mouseEncoding === 'sgr') bytes += '\x1b[?1006h';
  if (!cursorVisible) bytes += '\x1b[?25l';
  if (title !== '') bytes += `\x1b]2;${title}\x1b\\`;
  return bytes;
}

/**
 * Where a line wraps from or to a cell that is empty, the serializer fills that cell to wrap there,
 * and does not always clear it again. Such rows are shown as lines of their own.
 */
function withoutEmptyWraps(core: Core, serialize: () => string): string {
  const unwrapped: Row[] = [];
  for (const grid of [core.buffers.normal, core.buffers.alt]) {
    for (let index = 1; index < grid.lines.length; index++) {
      const row = rowAt(grid, index);
      const before = rowAt(grid, index - 1);
      const isFilled = row.hasContent(0) && before.getTrimmedLength() === before.length;
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
