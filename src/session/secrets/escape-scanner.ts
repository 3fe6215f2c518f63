/**
 * Separates text from escape sequences, byte by byte. That is enough to find a value that a program
 * prints with colours in it, and to see whether output ends within a sequence. Only the screen knows
 * what a sequence means.
 */

/** Kinds of bytes: text, the content of an OSC or DCS (such as a title), and everything else. */
export const TEXT_BYTE = 0;
export const STRING_BYTE = 1;
const CONTROL = 2;

const GROUND = 0;
const ESCAPE = 1;
const CSI = 2;
const IN_STRING = 3;

const ESC = 0x1b;
const BEL = 0x07;
/** CAN and SUB cancel any sequence. */
const isCancel = (byte: number) => byte === 0x18 || byte === 0x1a;
/** DCS, SOS, OSC, PM and APC: `P`, `X`, `]`, `^` and `_` after ESC. */
const beginsString = (byte: number) =>
  byte === 0x5d || byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f;

export class EscapeScanner {
  /** One of the states above. */
  state = GROUND;

  /** Whether a sequence has started and not ended. */
  get isInSequence(): boolean {
    return this.state !== GROUND;
  }

  /** Takes the next byte, and returns its kind: TEXT, STRING or CONTROL. */
  take(byte: number): number {
    const state = this.state;
    if (byte === ESC) this.state = ESCAPE;
    else if (state === GROUND) return byte < 0x20 || byte === 0x7f ? CONTROL : TEXT_BYTE;
    else if (isCancel(byte)) this.state = GROUND;
    else if (state === IN_STRING) {
      if (byte !== BEL) return STRING_BYTE;
      this.state = GROUND;
    } else if (state === ESCAPE) this.state = afterEscape(byte);
    else if (byte >= 0x40 && byte <= 0x7e) this.state = GROUND;
    return CONTROL;
  }

  /** Takes bytes whose kinds nobody asks for: an ESC begins a sequence, whatever was before it. */
  takeAll(bytes: Uint8Array): void {
    const last = bytes.lastIndexOf(ESC);
    for (let at = Math.max(0, last); at === last || this.isInSequence; at++) {
      if (at >= bytes.length) return;
      this.take(bytes[at]!);
    }
  }
}

const afterEscape = (byte: number) => {
  if (byte === 0x5b) return CSI;
  if (beginsString(byte)) return IN_STRING;
  // An intermediate byte, such as the `(` of a charset.
  return byte >= 0x20 && byte <= 0x2f ? ESCAPE : GROUND;
};
