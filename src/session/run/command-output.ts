/**
 * The output of a command, exactly: from the bytes between two marks.
 *
 * The lines that the screen keeps are as a person sees them: without tabs, without blanks at their
 * ends, and only the last of very many. The bytes still have all that. Most output needs nothing but
 * to leave out colours and the like; where a program has moved the cursor, a screen of its own for
 * these bytes finds out what came of it.
 */

import type { ByteSegment } from '../../screen/history/byte-history.ts';
import type { LostOutput } from '../../screen/history/retention.ts';
import { Screen } from '../../screen/screen.ts';
import type { MissingOutput, ViewLine } from '../../views/budget.ts';
import { type OutputSpan, textFrom } from '../../views/text.ts';

export interface OutputLines {
  lines: ViewLine[];
  /** The last line has its newline. */
  isEnded: boolean;
  /** What is no longer kept. */
  gone?: MissingOutput;
}

export const commandOutput = (
  screen: Screen,
  ranges: readonly OutputSpan[],
  hidden: readonly OutputSpan[],
): OutputLines => {
  const lines: ViewLine[] = [];
  let isEnded = false;
  let gone: MissingOutput | undefined;
  for (const { from, to } of without(ranges, hidden)) {
    for (const { position, bytes, lost } of joined(screen.history.bytes.pieces(from, to))) {
      if (lost.bytes > 0) {
        gone = {
          lines: (gone?.lines ?? 0) + lost.lines,
          bytes: (gone?.bytes ?? 0) + lost.bytes,
          before: lines.length,
        };
      }
      const piece = linesOf(bytes, position, screen);
      for (const line of piece.lines) lines.push(line);
      isEnded = piece.isEnded;
    }
  }
  return { lines, isEnded, ...(gone && { gone }) };
};

/** Pieces follow each other as the memory does in which they are kept. */
const joined = (pieces: readonly ByteSegment[]) => {
  const whole: { position: number; parts: Uint8Array[]; lost: LostOutput }[] = [];
  for (const { position, bytes, lost } of pieces) {
    const last = whole.at(-1);
    if (last !== undefined && lost.bytes === 0) last.parts.push(bytes);
    else whole.push({ position, parts: [bytes], lost });
  }
  return whole.map(({ parts, ...rest }) => ({ ...rest, bytes: Buffer.concat(parts) }));
};

const without = (ranges: readonly OutputSpan[], hidden: readonly OutputSpan[]): OutputSpan[] => {
  let left = [...ranges];
  for (const { from, to } of hidden) {
    left = left.flatMap((range) =>
      to <= range.from || from >= range.to
        ? [range]
        : [
            { from: range.from, to: from },
            { from: to, to: range.to },
          ],
    );
  }
  return left.filter(({ from, to }) => from < to);
};

/** The end of the last line is no line of its own. */
const linesOf = (bytes: Buffer, position: number, screen: Screen): OutputLines => {
  const plain = plainText(bytes.toString());
  if (plain === undefined) return drawnLines(bytes, position, screen.modes);
  const texts = plain.split('\n');
  if (texts.at(-1) === '') texts.pop();
  let at = 0;
  const lines = texts.map((text) => {
    const line = { position: position + at, text };
    at = bytes.indexOf(0x0a, at) + 1;
    return line;
  });
  return { lines, isEnded: plain.endsWith('\n') };
};

/**
 * What leaves no trace on a screen: OSC, colours, modes (but not the other screen), ASCII as the
 * character set, the bell, and characters that terminals ignore.
 */
const TRACELESS =
  /\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b\[[\d;:]*m|\x1b\[\?(?!47|10(?:47|49))[\d;]+[hl]|\x1b\(B|\x1b[=>]|[\x00\x07\x7f]/g;

/** Undefined where it takes a screen to tell. */
const plainText = (text: string): string | undefined => {
  const shown = text
    .replaceAll(TRACELESS, '')
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll(/(^|\n)\r+/g, '$1');
  return /[\x00-\x08\x0b-\x1f\x80-\x9f]/.test(shown) ? undefined : shown;
};

/** More than any session keeps, so that nothing of it is skipped. */
const ALL = { maxBytes: 2 ** 30, maxLines: 2 ** 30 };

const drawnLines = (
  bytes: Buffer,
  position: number,
  { cols, rows }: { cols: number; rows: number },
): OutputLines => {
  const screen = new Screen({ cols, rows, history: ALL });
  try {
    screen.write(bytes);
    const { lines } = textFrom(screen, 0);
    let isOnLast = false;
    for (const { hasCursor } of screen.lines(screen.firstLiveLine)) isOnLast = hasCursor;
    // Where the cursor stands on a line of its own, that line has not begun.
    if (isOnLast && lines.at(-1)?.text === '' && screen.cursor.col === 0) {
      lines.pop();
      isOnLast = false;
    }
    const placed = lines.map((line) => ({ ...line, position: position + line.position }));
    return { lines: placed, isEnded: !isOnLast };
  } finally {
    screen.dispose();
  }
};
