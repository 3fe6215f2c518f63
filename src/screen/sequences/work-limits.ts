/**
 * Limits sequences that would make xterm use unbounded time or memory.
 *
 * xterm repeats some operations as often as the program asks, and `CSI 2147483647 T` is only 13
 * bytes. More repetitions than the screen has rows or columns change nothing, so that is the limit.
 */
import type { Xterm } from '../xterm/xterm.ts';

/** A cell can get any number of combining marks. Text has a few code units, emoji about ten. */
const MAX_CELL_LENGTH = 64;

const repeatable = [
  { final: 'L', method: 'insertLines', max: 'rows' },
  { final: 'M', method: 'deleteLines', max: 'rows' },
  { final: 'S', method: 'scrollUp', max: 'rows' },
  { final: 'T', method: 'scrollDown', max: 'rows' },
  { final: 'I', method: 'cursorForwardTab', max: 'cols' },
  { final: 'Z', method: 'cursorBackwardTab', max: 'cols' },
  { final: 'b', method: 'repeatPrecedingCharacter', max: 'cells' },
] as const;

export type RepeatingSequenceMethod = (typeof repeatable)[number]['method'];

export function limitSequenceWork({ terminal, core }: Xterm): void {
  const { parser } = terminal;
  for (const { final, method, max } of repeatable) {
    parser.registerCsiHandler({ final }, ([count]) => {
      const { cols, rows } = terminal;
      const limit = { cols, rows, cells: cols * rows }[max];
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

/** About five milliseconds of work, in cells. */
const MAX_WORK = 200_000;
const ESC = 0x1b;
const LF = 0x0a;
/** In a narrower row, a line feed is no more work than its text. */
const WIDE_COLS = 240;
const CSI = '['.charCodeAt(0);
/** The last bytes of CSI sequences that change no more than a line. All others may change every cell. */
const LIGHT_FINALS = new Set(Buffer.from('ABCDEFGHIKPXZ`adefgmnpqrstuvx'));
/** ESC c resets the terminal, ESC # 8 fills it. */
const HEAVY_ESCAPES = new Set(Buffer.from('c#'));

/**
 * How much of some output can be parsed at once, in bytes: a few milliseconds of work, or one sequence. A
 * sequence may be as much work as the screen has cells, a line feed as a wide one has columns.
 */
export const affordableBytes = (bytes: Buffer, cols: number, rows: number): number => {
  let work = 0;
  for (let at = 0; at < bytes.length; ) {
    const start = bytes.indexOf(ESC, at);
    const textEnd = start === -1 ? bytes.length : start;
    let feed = cols > WIDE_COLS ? bytes.indexOf(LF, at) : -1;
    while (feed !== -1 && feed < textEnd) {
      work += cols;
      if (work > MAX_WORK) return feed + 1;
      feed = bytes.indexOf(LF, feed + 1);
    }
    if (start === -1) break;
    const end = sequenceEnd(bytes, start);
    work += isLight(bytes, start, end) ? cols : cols * rows;
    if (work > MAX_WORK) return start === 0 ? end : start;
    at = end;
  }
  return bytes.length;
};

/** Where the sequence ends that begins here, or the bytes do. Of a string (OSC), where its text begins. */
const sequenceEnd = (bytes: Buffer, start: number): number => {
  let end = start + 2;
  if (bytes[start + 1] === CSI) {
    while (end < bytes.length && bytes[end]! < 0x40) end++;
    end++;
  } else while ((bytes[end - 1]! & 0xf0) === 0x20) end++;
  return Math.min(end, bytes.length);
};

const isLight = (bytes: Buffer, start: number, end: number): boolean => {
  if (bytes[start + 1] !== CSI) return !HEAVY_ESCAPES.has(bytes[start + 1]!);
  // A space before the last byte makes it another sequence.
  const isPlain = (bytes[end - 2]! & 0xf0) !== 0x20;
  return isPlain && LIGHT_FINALS.has(bytes[end - 1]!);
};
