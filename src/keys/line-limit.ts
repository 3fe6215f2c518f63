/**
 * The kernel keeps the first 4,095 bytes of a line in canonical mode and drops the rest without a
 * word (N_TTY_BUF_SIZE in n_tty.c, less one for the end of the line), so such a line is refused.
 */
import { LineTooLong } from '../errors.ts';
import type { Write } from './input.ts';

export const CANONICAL_LINE_BYTES = 4095;

/**
 * Bytes of the longest line, ends not counted. The kernel may count fewer, since ^D ends a line and
 * ^U empties it, but which keys those are is the terminal's setting.
 */
export function longestLine(writes: Iterable<Write>): number {
  let longest = 0;
  let length = 0;
  for (const { bytes } of writes) {
    for (const byte of bytes) {
      length = byte === 0x0a || byte === 0x0d ? 0 : length + 1;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

/** For writes to a terminal in canonical mode. */
export function refuseLongLines(writes: Iterable<Write>): void {
  const bytes = longestLine(writes);
  if (bytes > CANONICAL_LINE_BYTES) throw new LineTooLong(bytes, CANONICAL_LINE_BYTES);
}
