/**
 * Sequences that would make xterm work or remember without bound.
 *
 * xterm does some things as often as the program says, and `CSI 2147483647 T` is 13 bytes. More often
 * than there are rows or columns changes nothing further, so that is where counting stops.
 */
import type { Xterm } from '../xterm/xterm.ts';

/** Repeating a character fills lines, which does go on changing something; this is enough to draw. */
const MAX_REPEATS = 65_535;

/** A cell can be given marks without end. Written text has a few, and emoji about ten. */
const MAX_CELL = 64;

const repeating = [
  { final: 'L', method: 'insertLines', most: 'rows' },
  { final: 'M', method: 'deleteLines', most: 'rows' },
  { final: 'S', method: 'scrollUp', most: 'rows' },
  { final: 'T', method: 'scrollDown', most: 'rows' },
  { final: 'I', method: 'cursorForwardTab', most: 'cols' },
  { final: 'Z', method: 'cursorBackwardTab', most: 'cols' },
  { final: 'b', method: 'repeatPrecedingCharacter', most: MAX_REPEATS },
] as const;

export type RepeatingMethod = (typeof repeating)[number]['method'];

export function limitWork({ terminal, core }: Xterm): void {
  const { parser } = terminal;
  for (const { final, method, most } of repeating) {
    parser.registerCsiHandler({ final }, ([count]) => {
      const limit = typeof most === 'number' ? most : terminal[most];
      if (Number(count) <= limit) return false;
      return core._inputHandler[method]({ params: [limit], length: 1 });
    });
  }
  // A link leaves a marker behind each time it is drawn, for as long as its row is there. We have no
  // use for links; their text is printed as any other.
  parser.registerOscHandler(8, () => true);
}

/** Called after each piece that is parsed: a character that has enough marks gets no more of them. */
export function endLongCharacter({ core }: Xterm): void {
  const { lines, x, y, ybase } = core.buffers.active;
  const cell = lines.get(ybase + y)!.translateToString(false, Math.max(0, x - 2), x);
  if (cell.length > MAX_CELL) core._inputHandler._parser.precedingJoinState = 0;
}
