/** The raw view: the output bytes as lines of text, never with half a character at the end. */
import type { ByteSliceWithLoss } from '../screen/history/byte-history.ts';
import type { Screen } from '../screen/screen.ts';
import { unfinishedCharacterBytes } from '../screen/sequences/utf8.ts';
import { addLostOutput, type LostOutputInView, type ViewLine } from './budget.ts';

export interface RawView {
  /** Bytes that are not UTF-8 are shown as U+FFFD. */
  lines: ViewLine[];
  /** Where the next view must begin. */
  position: number;
  /** The part of the request that is no longer kept. */
  gone?: LostOutputInView;
}

/** `maxBytes`: how much of it can be shown. Without it, every line is told apart. */
export function rawViewFrom(screen: Screen, from: number, maxBytes?: number): RawView {
  const stretches = stretchesFrom(screen.history.bytes.pieces(from));
  const lines: ViewLine[] = [];
  let gone: LostOutputInView | undefined;
  const last = stretches.at(-1);
  const partialBytes = last === undefined ? 0 : unfinishedCharacterBytes(last.bytes);
  if (last !== undefined) last.bytes = last.bytes.subarray(0, last.bytes.length - partialBytes);
  for (const { position, bytes, lost } of stretches) {
    if (lost.bytes > 0) {
      // The line ended where the gap begins, so this empty line is not one.
      if (lines.at(-1)?.bytes === 0) lines.pop();
      gone = addLostOutput(gone, lost, lines.length);
    }
    const told = maxBytes === undefined ? linesOf : linesAtEnds(maxBytes);
    for (const line of told(bytes, position)) lines.push(line);
  }
  return { lines, position: screen.position - partialBytes, ...(gone && { gone }) };
}

interface Stretch extends ByteSliceWithLoss {
  bytes: Buffer;
}

/** Joins pieces with no gap between them, because lines and characters continue across pieces. */
function stretchesFrom(pieces: readonly ByteSliceWithLoss[]): Stretch[] {
  const groups: ByteSliceWithLoss[][] = [];
  for (const piece of pieces) {
    if (groups.length === 0 || piece.lost.bytes > 0) groups.push([piece]);
    else groups.at(-1)!.push(piece);
  }
  return groups.map((group) => ({
    ...group[0]!,
    bytes: Buffer.concat(group.map(({ bytes }) => bytes)),
  }));
}

const NEWLINE = 0x0a;
/** The replacement of a byte that is not UTF-8 has three, and each line may be one of them. */
const MAX_GROWTH = 4;
/** More than the line about what is missing has. */
const MARKER_BYTES = 1000;

/**
 * A view shows no more than `maxBytes` of each end, so what is between them is one piece: a million short
 * lines would take a second. If all of it fits, it need not be cut at all.
 */
const linesAtEnds = (maxBytes: number) =>
  function* (bytes: Buffer, position: number): Generator<ViewLine> {
    const atEnds = bytes.length * MAX_GROWTH + MARKER_BYTES < maxBytes ? 0 : maxBytes;
    const first = bytes.indexOf(NEWLINE, atEnds) + 1;
    const last = atEnds < bytes.length ? bytes.lastIndexOf(NEWLINE, -1 - atEnds) : -1;
    if (first === 0 || last <= first) return yield* linesOf(bytes, position);
    yield* linesOf(bytes.subarray(0, first - 1), position);
    const middle = bytes.subarray(first, last);
    const text = middle.toString('utf8');
    yield { position: position + first, text, bytes: middle.length, lines: countLines(middle) };
    yield* linesOf(bytes.subarray(last + 1), position + last + 1);
  };

const countLines = (bytes: Buffer): number => {
  let count = 1;
  for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) count++;
  return count;
};

function* linesOf(bytes: Buffer, position: number): Generator<ViewLine> {
  for (let start = 0; start <= bytes.length; ) {
    const newline = bytes.indexOf(NEWLINE, start);
    const end = newline === -1 ? bytes.length : newline;
    yield {
      position: position + start,
      text: bytes.toString('utf8', start, end),
      bytes: end - start,
    };
    start = end + 1;
  }
}
