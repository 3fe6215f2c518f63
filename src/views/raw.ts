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

export function rawViewFrom(screen: Screen, from: number): RawView {
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
    for (const line of linesOf(bytes, position)) lines.push(line);
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
