/** The raw view: the bytes as they came, as text, never with half a character at its end. */
import type { Lost } from '../screen/kept.ts';
import type { Screen } from '../screen/screen.ts';
import { unfinishedCharacter } from '../screen/utf8.ts';

export interface RawView {
  /** Bytes that are no UTF-8 stand here as U+FFFD. */
  text: string;
  /** Where the text begins, and where the next view has to. */
  from: number;
  position: number;
  /** What was asked for and is gone: before the text, or cut out of it. */
  lost: Lost;
}

export function rawFrom(screen: Screen, from: number): RawView {
  const pieces = screen.history.bytes.pieces(from);
  const lost = { bytes: 0, lines: 0 };
  for (const piece of pieces) {
    lost.bytes += piece.lost.bytes;
    lost.lines += piece.lost.lines;
  }
  const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
  const waiting = unfinishedCharacter(bytes);
  const text = bytes.toString('utf8', 0, bytes.length - waiting);
  return { text, from: pieces[0]?.position ?? from, position: screen.position - waiting, lost };
}
