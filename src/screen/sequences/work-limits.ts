/**
 * Limits sequences that would make xterm use unbounded time or memory.
 *
 * xterm repeats some operations as often as the program asks, and `CSI 2147483647 T` is only 13
 * bytes. More repetitions than the screen has rows or columns change nothing, so that is the limit.
 */
import { JOIN_WORK } from '../xterm/fast-rows.ts';
import { moveRows } from '../xterm/move-rows.ts';
import type { Xterm } from '../xterm/xterm.ts';

/** As many letters as a sequence may print. A few milliseconds of work. */
export const MAX_REPEATED = 65_535;

/** `moves`: the rows below (or above) the cursor, or those within the margins, go down (1) or up (-1). */
const repeatable = [
  { final: 'L', method: 'insertLines', max: 'rows', moves: 1, from: 'cursor' },
  { final: 'M', method: 'deleteLines', max: 'rows', moves: -1, from: 'cursor' },
  { final: 'S', method: 'scrollUp', max: 'rows', moves: -1 },
  { final: 'T', method: 'scrollDown', max: 'rows', moves: 1, isColourless: true },
  { final: 'I', method: 'cursorForwardTab', max: 'cols' },
  { final: 'Z', method: 'cursorBackwardTab', max: 'cols' },
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
      const times = Math.min(Number(count) || 1, { cols, rows }[max]);
      // The last one is left to xterm, which also moves the cursor.
      const left = times > 1 && moveAllButOne(xterm, times, movement) ? 1 : times;
      if (left === Number(count)) return false;
      return core._inputHandler[method]({ params: [left], length: 1 });
    });
  }
  parser.registerCsiHandler({ final: 'b' }, ([count]) => {
    repeatCharacter(xterm, Number(count) || 1);
    return true;
  });
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

/** Kept, since a new one for each sequence would be garbage of 260 KB. */
const repeated = new Uint32Array(MAX_REPEATED);

/** Repeats the character before the cursor (REP): at most until it fills the screen. */
const repeatCharacter = ({ core, terminal }: Xterm, count: number): void => {
  const { lines, x, y, ybase } = core.buffers.active;
  if (core._inputHandler._parser.precedingJoinState === 0) return;
  const row = lines.get(ybase + y)!;
  const col = x > 1 && row.getWidth(x - 1) === 0 ? x - 2 : x - 1;
  const text = row.translateToString(false, Math.max(0, col), x);
  if (text === '') return;
  const codePoints = Array.from(text, (character) => character.codePointAt(0)!);
  const work = text.length === 1 ? 1 : text.length * JOIN_WORK;
  const most = Math.min(terminal.cols * terminal.rows, Math.floor(MAX_REPEATED / work));
  const end = Math.max(1, Math.min(count, most)) * codePoints.length;
  repeated.set(codePoints);
  // Each time twice as much.
  for (let at = codePoints.length; at < end; at *= 2)
    repeated.copyWithin(at, 0, Math.min(at, end - at));
  core._inputHandler.print(repeated, 0, end);
};
