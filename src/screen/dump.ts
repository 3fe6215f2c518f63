/** A screen as bytes, for somebody who joins late: what xterm's own serializer does, and the rest. */
import { readModes } from './modes.ts';
import type { Xterm } from './xterm.ts';

export function dump(xterm: Xterm, title: string): string {
  const { core, serializer, terminal } = xterm;
  const { scrollTop, scrollBottom, x, y } = core.buffers.active;
  const { cursorVisible, mouseEncoding } = readModes(xterm);
  const { originMode } = terminal.modes;
  let bytes = serializer
    .serialize({ scrollback: 0 })
    // By 0 columns means by one; the serializer writes it after a row that is blank and wraps.
    .replaceAll(/\x1b\[0[CD]/g, '')
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
