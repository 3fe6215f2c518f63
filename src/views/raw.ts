/** The raw view: the bytes as they came, as lines of text, never with half a character at its end. */
import type { ByteSegment } from '../screen/history/byte-history.ts';
import type { Screen } from '../screen/screen.ts';
import { unfinishedCharacter } from '../screen/sequences/utf8.ts';
import type { MissingOutput, ViewLine } from './budget.ts';

export interface RawView {
  /** Bytes that are no UTF-8 stand here as U+FFFD. */
  lines: ViewLine[];
  /** Where the next view has to begin. */
  position: number;
  /** What was asked for and is gone. */
  gone?: MissingOutput;
}

export function rawFrom(screen: Screen, from: number): RawView {
  const stretches = stretchesFrom(screen.history.bytes.pieces(from));
  const lines: ViewLine[] = [];
  let gone: MissingOutput | undefined;
  const last = stretches.at(-1);
  const waiting = last === undefined ? 0 : unfinishedCharacter(last.bytes);
  if (last !== undefined) last.bytes = last.bytes.subarray(0, last.bytes.length - waiting);
  for (const { position, bytes, lost } of stretches) {
    if (lost.bytes > 0) {
      // The line ended where the gap begins.
      if (lines.at(-1)?.bytes === 0) lines.pop();
      gone = {
        lines: lost.lines + (gone?.lines ?? 0),
        bytes: lost.bytes + (gone?.bytes ?? 0),
        before: lines.length,
      };
    }
    for (const line of linesOf(bytes, position)) lines.push(line);
  }
  return { lines, position: screen.position - waiting, ...(gone && { gone }) };
}

interface Stretch extends ByteSegment {
  bytes: Buffer;
}

/** Pieces between which nothing is lost, as one: lines and characters go on from one to the next. */
function stretchesFrom(pieces: readonly ByteSegment[]): Stretch[] {
  const groups: ByteSegment[][] = [];
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
