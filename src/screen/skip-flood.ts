/**
 * Finds the part of a long stretch of plain output that need not be parsed.
 *
 * Plain output only adds lines at the bottom. If a stretch is longer than the history, only its end
 * is ever seen: its last lines, in the colours that were set before them, and the number of lines
 * that scrolled by. So the stretch is skipped up to a line that begins at the left edge (after CR
 * LF) and is followed by enough lines to fill the screen, the rows above it and the history.
 * docs/internals/screen.md explains why nothing else can differ.
 */
import type { OutputHistory } from './history/output-history.ts';
import { MAX_SCROLLBACK_ROWS } from './xterm/xterm.ts';

export interface SkippableStretch {
  from: number;
  to: number;
  lines: number;
  /** SGR sequences that set the colours as they are at the end of the stretch. */
  colours: Buffer;
}

/** Less than this share of the history, in bytes and in lines, is not skipped: parsing it is as cheap. */
const MIN_SHARE = 1 / 16;

/** How many lines that end in a bare LF are tried before giving up on finding a CR LF. */
const MAX_TRIES = 64;

/** The part of the plain output, between two line starts, that need not be parsed. */
export function findSkippableStretch(
  history: OutputHistory,
  { from, to, rows, lastEscape }: { from: number; to: number; rows: number; lastEscape: number },
): SkippableStretch | undefined {
  const { bytes } = history;
  const minBytes = history.maxBytes * MIN_SHARE;
  const minLines = history.maxLines * MIN_SHARE;
  const newlinesFrom = bytes.newlinesBefore(from);
  const newlinesTo = bytes.newlinesBefore(to);
  const onScreen = rows + MAX_SCROLLBACK_ROWS + 1;
  const lastByBytes = bytes.newlinesBefore(Math.max(from, to - (history.maxBytes >> 2)));
  const last = Math.min(
    newlinesTo - onScreen,
    Math.max(newlinesTo - onScreen - history.maxLines, lastByBytes),
  );
  for (let nth = last; nth > Math.max(newlinesFrom, last - MAX_TRIES); nth--) {
    const end = bytes.afterNewline(nth);
    if (end - from < minBytes && nth - newlinesFrom < minLines) return undefined;
    if (bytes.byteAt(end - 2) !== 0x0d) continue;
    const colours = lastEscape < from ? Buffer.alloc(0) : coloursAt(history, from, end);
    return { from, to: end, lines: nth - newlinesFrom, colours };
  }
  return undefined;
}

/** The SGR sequences of a range, from its last full reset on. Earlier ones have no effect. */
function coloursAt({ bytes }: OutputHistory, from: number, to: number): Buffer {
  const sequences: Buffer[] = [];
  const range = Buffer.concat([...bytes.slices(from, to)].map((slice) => slice.bytes));
  for (let at = range.length; at > 0; ) {
    at = range.lastIndexOf(0x1b, at - 1);
    if (at === -1) break;
    const sequence = range.subarray(at, range.indexOf(0x6d, at) + 1);
    sequences.push(sequence);
    if (/^\x1b\[0*m$/.test(sequence.toString('latin1'))) break;
  }
  return Buffer.concat(sequences.reverse());
}
