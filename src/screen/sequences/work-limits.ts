/**
 * Limits sequences that would make xterm use unbounded time or memory.
 *
 * xterm repeats some operations as often as the program asks, and `CSI 2147483647 T` is only 13
 * bytes. More repetitions than the screen has rows or columns change nothing, so that is the limit.
 */
import type { Xterm } from '../xterm/xterm.ts';

/** A repeated character fills further lines, so it has another limit; this is enough to draw. */
const MAX_REPEATS = 65_535;

/** A cell can get any number of combining marks. Text has a few code units, emoji about ten. */
const MAX_CELL_LENGTH = 64;

const repeatable = [
  { final: 'L', method: 'insertLines', max: 'rows' },
  { final: 'M', method: 'deleteLines', max: 'rows' },
  { final: 'S', method: 'scrollUp', max: 'rows' },
  { final: 'T', method: 'scrollDown', max: 'rows' },
  { final: 'I', method: 'cursorForwardTab', max: 'cols' },
  { final: 'Z', method: 'cursorBackwardTab', max: 'cols' },
  { final: 'b', method: 'repeatPrecedingCharacter', max: MAX_REPEATS },
] as const;

export type RepeatingSequenceMethod = (typeof repeatable)[number]['method'];

export function limitSequenceWork({ terminal, core }: Xterm): void {
  const { parser } = terminal;
  for (const { final, method, max } of repeatable) {
    parser.registerCsiHandler({ final }, ([count]) => {
      const limit = typeof max === 'number' ? max : terminal[max];
      if (Number(count) <= limit) return false;
      return core._inputHandler[method]({ params: [limit], length: 1 });
    });
  }
  // xterm keeps a marker for each link that is drawn, as long as its row exists. We do not use
  // links; their text is printed like any other.
  parser.registerOscHandler(8, () => true);
}

/** Called after each piece is parsed. A character with too many combining marks gets no more. */
export function limitCombiningMarks({ core }: Xterm): void {
  const { lines, x, y, ybase } = core.buffers.active;
  const cell = lines.get(ybase + y)!.translateToString(false, Math.max(0, x - 2), x);
  if (cell.length > MAX_CELL_LENGTH) core._inputHandler._parser.precedingJoinState = 0;
}
