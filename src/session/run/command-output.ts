/**
 * The exact output of a command, from the bytes between two marks.
 *
 * The screen keeps lines as a person sees them: without tabs, without trailing blanks, and only the last
 * ones of a long output. The bytes still have all of it. For most output it is enough to remove colours
 * and the like. If a program has moved the cursor, its bytes are drawn on a screen of their own.
 */

import type { ByteSliceWithLoss } from '../../screen/history/byte-history.ts';
import type { LostOutput } from '../../screen/history/retention.ts';
import { Screen } from '../../screen/screen.ts';
import type { LostOutputInView, ViewLine } from '../../views/budget.ts';
import { type OutputSpan, textViewFrom } from '../../views/text.ts';
import { OutputVisibility } from './output-visibility.ts';

export interface CommandOutputLines {
  lines: ViewLine[];
  /** Whether the last line ends with a newline. */
  isEnded: boolean;
  /** Output that is no longer kept. */
  gone?: LostOutputInView;
  /** How many characters a person cannot see, and the lines leave out. */
  hidden: number;
}

export const commandOutput = (
  screen: Screen,
  ranges: readonly OutputSpan[],
  hidden: readonly OutputSpan[],
): CommandOutputLines => {
  const lines: ViewLine[] = [];
  let isEnded = false;
  let gone: LostOutputInView | undefined;
  const visibility = OutputVisibility.of(screen, ranges[0]?.from ?? 0);
  for (const { from, to } of without(ranges, hidden)) {
    for (const { position, bytes, lost } of joined(screen.history.bytes.pieces(from, to))) {
      if (lost.bytes > 0) {
        gone = {
          lines: (gone?.lines ?? 0) + lost.lines,
          bytes: (gone?.bytes ?? 0) + lost.bytes,
          before: lines.length,
        };
      }
      visibility?.passUpTo(position);
      const piece = linesOf(bytes, position, screen.modes, visibility);
      for (const line of piece.lines) lines.push(line);
      isEnded = piece.isEnded;
    }
  }
  const hiddenCharacters = visibility?.end() ?? 0;
  return { lines, isEnded, hidden: hiddenCharacters, ...(gone && { gone }) };
};

/** Joins adjacent segments: the history splits output at the borders of its memory blocks. */
const joined = (pieces: readonly ByteSliceWithLoss[]) => {
  const runs: { position: number; parts: Uint8Array[]; lost: LostOutput }[] = [];
  for (const { position, bytes, lost } of pieces) {
    const last = runs.at(-1);
    if (last !== undefined && lost.bytes === 0) last.parts.push(bytes);
    else runs.push({ position, parts: [bytes], lost });
  }
  return runs.map(({ parts, ...rest }) => ({ ...rest, bytes: Buffer.concat(parts) }));
};

const without = (ranges: readonly OutputSpan[], hidden: readonly OutputSpan[]): OutputSpan[] => {
  let visible = [...ranges];
  for (const { from, to } of hidden) {
    visible = visible.flatMap((range) =>
      to <= range.from || from >= range.to
        ? [range]
        : [
            { from: range.from, to: from },
            { from: to, to: range.to },
          ],
    );
  }
  return visible.filter(({ from, to }) => from < to);
};

interface OutputPiece {
  lines: ViewLine[];
  isEnded: boolean;
}

/** A newline at the end does not start another line. */
const linesOf = (
  bytes: Buffer,
  position: number,
  size: ScreenSize,
  visibility: OutputVisibility | undefined,
): OutputPiece => {
  const printed = bytes.toString();
  const plain = plainText(printed);
  if (plain === undefined) return drawnLines(bytes, position, size, visibility);
  const texts = plain.split('\n');
  if (texts.at(-1) === '') texts.pop();
  const end = position + bytes.length;
  const visible = visibility?.visibleLines({ lines: texts, printed, end }, plainText) ?? texts;
  let at = 0;
  const lines = visible.map((text) => {
    const line = { position: position + at, text };
    at = bytes.indexOf(0x0a, at) + 1;
    return line;
  });
  return { lines, isEnded: plain.endsWith('\n') };
};

/**
 * What is invisible on a screen: OSC, colours, modes (except the alternate screen), the shape of the
 * cursor, ASCII as the character set, the bell, and characters that terminals ignore.
 */
const INVISIBLE =
  /\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b\[[\d;:]*m|\x1b\[\?(?!47|10(?:47|49))[\d;]+[hl]|\x1b\[\d* q|\x1b\(B|\x1b[=>]|[\x00\x07\x7f]/g;

/** Undefined if a screen is needed to find out. */
const plainText = (text: string): string | undefined => {
  const plain = text
    .replaceAll(INVISIBLE, '')
    .replaceAll(/\r+\n/g, '\n')
    .replaceAll(/(^|\n)\r+/g, '$1');
  return /[\x00-\x08\x0b-\x1f\x80-\x9f]/.test(plain) ? undefined : plain;
};

/** More than any session keeps, so that nothing is dropped. */
const ALL = { maxBytes: 2 ** 30, maxLines: 2 ** 30 };

interface ScreenSize {
  cols: number;
  rows: number;
}

const drawnLines = (
  bytes: Buffer,
  position: number,
  { cols, rows }: ScreenSize,
  visibility: OutputVisibility | undefined,
): OutputPiece => {
  const screen = new Screen({ cols, rows, history: ALL });
  try {
    const style = Buffer.from(visibility?.style ?? '');
    screen.write(style);
    screen.write(bytes);
    const { lines, hidden = 0 } = textViewFrom(screen, 0);
    visibility?.countDrawn(hidden, position + bytes.length);
    let isCursorOnLast = false;
    for (const { hasCursor } of screen.lines(screen.firstLiveLine)) isCursorOnLast = hasCursor;
    // An empty last line with the cursor at its start is not a line of output.
    if (isCursorOnLast && lines.at(-1)?.text === '' && screen.cursor.col === 0) {
      lines.pop();
      isCursorOnLast = false;
    }
    const start = position - style.length;
    const inSession = lines.map((line) => ({
      ...line,
      position: Math.max(position, start + line.position),
    }));
    return { lines: inSession, isEnded: !isCursorOnLast };
  } finally {
    screen.dispose();
  }
};
