/** Cuts and repairs UTF-8 for xterm. */
import { isUtf8 } from 'node:buffer';

/** How many bytes at the end are the start of an unfinished UTF-8 character. */
export function unfinishedCharacterBytes(bytes: Uint8Array): number {
  for (let count = 1; count <= Math.min(3, bytes.length); count++) {
    const byte = bytes[bytes.length - count]!;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > count ? count : 0;
  }
  return 0;
}

/** Replaces invalid bytes by U+FFFD. xterm would drop them without a trace. */
export const replaceInvalidUtf8 = (bytes: Uint8Array): Uint8Array =>
  isUtf8(bytes) ? bytes : Buffer.from(Buffer.from(bytes).toString());
