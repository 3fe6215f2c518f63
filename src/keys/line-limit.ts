/**
 * Refuses lines that are too long for canonical mode.
 *
 * There the kernel keeps the first 4,095 bytes of a line and silently drops the rest
 * (N_TTY_BUF_SIZE in n_tty.c, less one for the end of the line).
 */
import { LineTooLong } from '../errors.ts';
import type { InputWrite } from './input-writes.ts';

export const MAX_CANONICAL_LINE_BYTES = 4095;

/**
 * Bytes of the longest line, without its end. `typedBefore` bytes of the first line have been typed
 * already. The kernel may count fewer, because ^D ends a line and ^U empties it; but the terminal's
 * settings decide which keys those are.
 */
export function measureLongestLine(writes: Iterable<InputWrite>, typedBefore = 0): number {
  let longest = 0;
  let length = typedBefore;
  for (const { bytes } of writes) {
    for (const byte of bytes) {
      length = byte === 0x0a || byte === 0x0d ? 0 : length + 1;
      longest = Math.max(longest, length);
    }
  }
  return longest;
}

/**
 * The length of the unfinished line after these bytes. A control character may have ended or
 * emptied the line, so the count starts again after it.
 */
export function unfinishedLineBytes(bytes: Uint8Array, typedBefore: number): number {
  let length = typedBefore;
  for (const byte of bytes) length = byte < 0x20 && byte !== 0x09 ? 0 : length + 1;
  return length;
}

/** Only for a terminal in canonical mode. */
export function refuseLongLines(writes: Iterable<InputWrite>, typedBefore = 0): void {
  const bytes = measureLongestLine(writes, typedBefore);
  if (bytes > MAX_CANONICAL_LINE_BYTES) throw new LineTooLong(bytes, MAX_CANONICAL_LINE_BYTES);
}
