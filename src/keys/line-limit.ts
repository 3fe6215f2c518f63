/**
 * The kernel keeps the first 4,095 bytes of a line in canonical mode and drops the rest without a
 * word (N_TTY_BUF_SIZE in n_tty.c, less one for the end of the line), so such a line is refused.
 */
import { LineTooLong } from '../errors.ts';
import type { InputWrite } from './input.ts';

export const CANONICAL_LINE_BYTES = 4095;

/**
 * Bytes of the longest line, ends not counted, when `begun` bytes of the first have been typed
 * before. The kernel may count fewer, since ^D ends a line and ^U empties it, but which keys those
 * are is the terminal's setting.
 */
export function longestLine(writes: Iterable<InputWrite>, begun = 0): number {
  let longest = 0;
  let length = begun;
  for (const { bytes } of writes) {
    for (const byte of bytes) {
      length = byte === 0x0a || byte === 0x0d ? 0 : length + 1;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

/**
 * How much of a line there is after these bytes. A control character may have ended or emptied it:
 * whoever types one is not in the middle of a long line.
 */
export function unfinishedLineBytes(bytes: Uint8Array, begun: number): number {
  let length = begun;
  for (const byte of bytes) length = byte < 0x20 && byte !== 0x09 ? 0 : length + 1;
  return length;
}

/** For writes to a terminal in canonical mode. */
export function refuseLongLines(writes: Iterable<InputWrite>, begun = 0): void {
  const bytes = longestLine(writes, begun);
  if (bytes > CANONICAL_LINE_BYTES) throw new LineTooLong(bytes, CANONICAL_LINE_BYTES);
}
