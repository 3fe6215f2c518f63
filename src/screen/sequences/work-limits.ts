/**
 * Limits sequences that would make xterm use unbounded time or memory.
 *
 * xterm repeats some operations as often as the program asks, and `CSI 2147483647 T` is only 13
 * bytes. More repetitions than the screen has rows or columns change nothing, so that is the limit.
 */
import { moveRows } from '../xterm/move-rows.ts';
import type { Xterm } from '../xterm/xterm.ts';

/** As many letters as a sequence may print. A few milliseconds of work. */
const MAX_REPEATED = 65_535;
/** To join a code unit to a character is as much work as so many letters. */
const JOIN_WORK = 4;

/** `moves`: the rows below (or above) the cursor, or those within the margins, go down (1) or up (-1). */
const repeatable = [
  { final: 'L', method: 'insertLines', max: 'rows', moves: 1, from: 'cursor' },
  { final: 'M', method: 'deleteLines', max: 'rows', moves: -1, from: 'cursor' },
  { final: 'S', method: 'scrollUp', max: 'rows', moves: -1 },
  { final: 'T', method: 'scrollDown', max: 'rows', moves: 1, isColourless: true },
  { final: 'I', method: 'cursorForwardTab', max: 'cols' },
  { final: 'Z', method: 'cursorBackwardTab', max: 'cols' },
  { final: 'b', method: 'repeatPrecedingCharacter', max: 'characters' },
] as const;

type Repeatable = {
  moves?: 1 | -1;
  from?: 'cursor';
  isColourless?: true;
};

export type RepeatingSequenceMethod = (typeof repeatable)[number]['method'];

export function limitSequenceWork(xterm: Xterm): void {
  const { terminal, core } = xterm;
  const { parser } = terminal;
  for (const { final, method, max, ...movement } of repeatable) {
    parser.registerCsiHandler({ final }, ([count]) => {
      const { cols, rows } = terminal;
      const limit = max === 'characters' ? maxRepetitions(xterm) : { cols, rows }[max];
      const times = Math.min(Number(count) || 1, limit);
      // The last one is left to xterm, which also moves the cursor.
      const left = times > 1 && moveAllButOne(xterm, times, movement) ? 1 : times;
      if (left === Number(count)) return false;
      return core._inputHandler[method]({ params: [left], length: 1 });
    });
  }
  // xterm keeps a marker for each link that is drawn, as long as its row exists. We do not use
  // links; their text is printed like any other.
  parser.registerOscHandler(8, () => true);
}

/** Whether rows are moved: only within the margins. */
const moveAllButOne = (
  { core }: Xterm,
  times: number,
  { moves, from, isColourless }: Repeatable,
): boolean => {
  const buffer = core.buffers.active;
  const { y, scrollTop, scrollBottom } = buffer;
  const top = from === 'cursor' ? y : scrollTop;
  if (moves === undefined || top > scrollBottom || top < scrollTop) return false;
  const range = { top, bottom: scrollBottom };
  const attributes = isColourless ? undefined : core._inputHandler._eraseAttrData();
  moveRows(buffer, range, moves * (times - 1), attributes);
  return true;
};

/** How often the character before the cursor can be repeated: at most until it fills the screen. */
const maxRepetitions = ({ core, terminal }: Xterm): number => {
  const { lines, x, y, ybase } = core.buffers.active;
  const row = lines.get(ybase + y)!;
  const col = x > 1 && row.getWidth(x - 1) === 0 ? x - 2 : x - 1;
  const { length } = row.translateToString(false, Math.max(0, col), x);
  const work = length === 1 ? 1 : length * JOIN_WORK;
  return Math.max(1, Math.min(terminal.cols * terminal.rows, Math.floor(MAX_REPEATED / work)));
};
