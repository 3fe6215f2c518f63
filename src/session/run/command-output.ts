/**
 * The exact output of a command, from the bytes between two marks.
 *
 * The screen keeps lines as a person sees them: without tabs, without trailing blanks, and only the last
 * ones of a long output. The bytes still have all of it. For most output it is enough to remove colours
 * and the like (plain-output.ts). All other output is drawn on a screen of its own, which begins as the
 * session's did: in its style, and with the style that it had saved.
 */

import type { ByteSliceWithLoss } from '../../screen/history/byte-history.ts';
import type { LostOutput } from '../../screen/history/retention.ts';
import { Screen } from '../../screen/screen.ts';
import type { LostOutputInView, ViewLine } from '../../views/budget.ts';
import { makeScreenView } from '../../views/screen.ts';
import { type OutputSpan, textViewFrom } from '../../views/text.ts';
import { ifDefined } from '../options/if-defined.ts';
import type { CommandRange } from './command-tracker.ts';
import { OutputVisibility } from './output-visibility.ts';
import { readPlainOutput } from './plain-output.ts';

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
  ranges: readonly CommandRange[],
  hiddenSpans: readonly OutputSpan[],
): CommandOutputLines => {
  const lines: ViewLine[] = [];
  let isEnded = false;
  let gone: LostOutputInView | undefined;
  let hidden = 0;
  for (const range of ranges) {
    const visibility = new OutputVisibility(screen, range);
    for (const { position, bytes, lost } of visiblePieces(screen, range, hiddenSpans)) {
      if (lost.bytes > 0) {
        gone = {
          lines: (gone?.lines ?? 0) + lost.lines,
          bytes: (gone?.bytes ?? 0) + lost.bytes,
          before: lines.length,
        };
      }
      visibility.passUpTo(position);
      const piece = linesOf(bytes, position, screen.modes, visibility);
      for (const line of piece.lines) lines.push(line);
      isEnded = piece.isEnded;
    }
    hidden += visibility.hidden;
  }
  return { lines, isEnded, hidden, ...(gone && { gone }) };
};

const visiblePieces = (screen: Screen, range: OutputSpan, hiddenSpans: readonly OutputSpan[]) =>
  without([range], hiddenSpans).flatMap(({ from, to }) =>
    joined(screen.history.bytes.pieces(from, to)),
  );

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
  visibility: OutputVisibility,
): OutputPiece => {
  const printed = bytes.toString();
  const plain = visibility.showsAsPrinted ? readPlainOutput(printed) : undefined;
  if (plain === undefined) return drawnLines(bytes, position, size, visibility);
  const texts = plain.split('\n');
  if (texts.at(-1) === '') texts.pop();
  const end = position + bytes.length;
  const visible = visibility.visibleLines({ lines: texts, printed, end });
  let at = 0;
  const lines = visible.map((text) => {
    const line = { position: position + at, text };
    at = bytes.indexOf(0x0a, at) + 1;
    return line;
  });
  return { lines, isEnded: plain.endsWith('\n') };
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
  visibility: OutputVisibility,
): OutputPiece => {
  const { printing } = visibility;
  const screen = new Screen({ cols, rows, history: ALL, ...ifDefined('printing', printing) });
  try {
    screen.write(bytes);
    const isFullScreen = printing?.isAlternate === true && screen.modes.alternateScreen;
    const { lines, hidden = 0 } = isFullScreen ? screenLines(screen) : textViewFrom(screen, 0);
    visibility.takeDrawn(hidden, screen, position + bytes.length);
    let isCursorOnLast = false;
    for (const { hasCursor } of screen.lines(screen.firstLiveLine)) isCursorOnLast = hasCursor;
    // An empty last line with the cursor at its start is not a line of output.
    if (isCursorOnLast && lines.at(-1)?.text === '' && screen.cursor.col === 0) {
      lines.pop();
      isCursorOnLast = false;
    }
    const inSession = lines.map((line) => ({ ...line, position: position + line.position }));
    return { lines: inSession, isEnded: !isCursorOnLast };
  } finally {
    screen.dispose();
  }
};

/** Nothing scrolls off the alternate screen: what is on it is all that is left. */
const screenLines = (screen: Screen): { lines: ViewLine[]; hidden: number } => {
  const { lines, hidden } = makeScreenView(screen);
  return {
    lines: lines.map((text) => ({ position: 0, text })),
    hidden: hidden.reduce((sum, count) => sum + count, 0),
  };
};
