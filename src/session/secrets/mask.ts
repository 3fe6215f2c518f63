/**
 * Replaces secret values in a stream of output by asterisks, one for each byte, so that no position
 * shifts.
 *
 * A value is found also when it comes in pieces, with colours, cursor movements or line ends in it,
 * or in a title. While the output ends with the beginning of a value those bytes are held back, and
 * whoever writes decides how long (`flush`): what is released then and goes on as the value is
 * masked from there on.
 */
import { EscapeScanner, STRING, TEXT } from './escape-scanner.ts';

const ASTERISK = 0x2a;
const ESC = 0x1b;

/** So much of a value, or half of it, tells too much to be shown when the rest is late. */
const TELLING_BYTES = 4;

/** How much of a value the output ends with. */
interface Progress {
  readonly value: Buffer;
  /** By the number of bytes that fit: how many still do when the next one does not. */
  readonly fallback: readonly number[];
  /** Where the bytes that fit lie in the stream; as many as fit. */
  readonly at: number[];
}

export class Mask {
  readonly #values: Buffer[] = [];
  readonly #escapes = new EscapeScanner();
  /** Text that a sequence interrupts goes on after it; what a title holds is apart from it. */
  #inText: Progress[] = [];
  #inStrings: Progress[] = [];
  /** Bytes with which nothing begins are passed over. */
  readonly #matters = new Uint8Array(256);
  #held: Buffer = Buffer.alloc(0);
  /** The position in the stream of the first byte held, or of the next one. */
  #released = 0;

  get isEmpty(): boolean {
    return this.#values.length === 0;
  }

  /** How many bytes are held back. */
  get held(): number {
    return this.#held.length;
  }

  /** The position of the first byte that is held back. */
  get heldFrom(): number {
    return this.#released;
  }

  /** From now on this value is masked. Returns its bytes, which are overwritten in the end. */
  add(text: string): Buffer {
    // Not `from`, which takes memory from a pool where nobody would overwrite it.
    const value = Buffer.alloc(Buffer.byteLength(text));
    value.write(text);
    const known = this.#values.find((other) => other.equals(value));
    if (known !== undefined) {
      value.fill(0);
      return known;
    }
    this.#values.push(value);
    const fallback = fallbackOf(value);
    this.#inText.push({ value, fallback, at: [] });
    this.#inStrings.push({ value, fallback, at: [] });
    this.#matters[ESC] = 1;
    this.#matters[value[0]!] = 1;
    return value;
  }

  /** Takes output, and returns what can be shown. */
  write(chunk: Uint8Array): Buffer {
    const bytes = Buffer.concat([this.#held, chunk]);
    const matters = this.#matters;
    for (let at = this.#held.length; at < bytes.length; at++) {
      if (this.#isIdle) while (at < bytes.length && matters[bytes[at]!] === 0) at++;
      if (at === bytes.length) break;
      const byte = bytes[at]!;
      const kind = this.#escapes.take(byte);
      if (kind === TEXT) this.#advance(this.#inText, bytes, at);
      else if (kind === STRING) this.#advance(this.#inStrings, bytes, at);
      else if (byte === ESC) for (const { at } of this.#inStrings) at.length = 0;
    }
    const first = Math.min(...this.#all.map(({ at }) => at[0] ?? Number.POSITIVE_INFINITY));
    const end = Math.min(bytes.length, Math.max(0, first - this.#released));
    return this.#release(bytes, end);
  }

  /** Returns what was held back: masked, where it is too much of a value to be shown. */
  flush(): Buffer {
    for (const progress of this.#all) {
      const telling = Math.min(TELLING_BYTES, Math.ceil(progress.value.length / 2));
      if (progress.at.length >= telling) this.#cover(this.#held, progress.at);
    }
    return this.#release(this.#held, this.#held.length);
  }

  /** For text that was put together from the screen: also where a value wraps onto the next row. */
  inText(text: string): string {
    let masked = text;
    for (const value of this.#values) {
      const letters = [...value.toString()].map((letter) => letter.replace(/[^\w\s]/, '\\$&'));
      masked = masked.replace(new RegExp(letters.join('\n?'), 'g'), (found) =>
        found.replace(/[^\n]/g, '*'),
      );
    }
    return masked;
  }

  /** For a piece that stands by itself, such as what a person has pasted. */
  inBytes(bytes: Uint8Array): Uint8Array {
    const masked = Buffer.from(bytes);
    for (const value of this.#values) {
      for (let at = masked.indexOf(value); at !== -1; at = masked.indexOf(value, at + value.length))
        masked.fill(ASTERISK, at, at + value.length);
    }
    return masked;
  }

  /** Overwrites the values. */
  forget(): void {
    for (const value of this.#values.splice(0)) value.fill(0);
    this.#inText = [];
    this.#inStrings = [];
    this.#held.fill(0);
    this.#held = Buffer.alloc(0);
    this.#matters.fill(0);
  }

  get #all(): Progress[] {
    return [...this.#inText, ...this.#inStrings];
  }

  /** Whether nothing has begun, neither a value nor an escape sequence. */
  get #isIdle(): boolean {
    if (this.#escapes.isInSequence) return false;
    for (const { at } of this.#inText) if (at.length > 0) return false;
    return true;
  }

  #advance(all: readonly Progress[], bytes: Buffer, index: number): void {
    const byte = bytes[index];
    for (const { value, fallback, at } of all) {
      while (at.length > 0 && value[at.length] !== byte) keepLast(at, fallback[at.length]!);
      if (value[at.length] !== byte) continue;
      at.push(this.#released + index);
      if (at.length < value.length) continue;
      this.#cover(bytes, at);
      keepLast(at, fallback[at.length]!);
    }
  }

  /** `bytes` begins with what is held back; what was released before cannot be covered any more. */
  #cover(bytes: Buffer, positions: readonly number[]): void {
    for (const position of positions) {
      if (position >= this.#released) bytes[position - this.#released] = ASTERISK;
    }
  }

  #release(bytes: Buffer, end: number): Buffer {
    this.#held = bytes.subarray(end);
    this.#released += end;
    return bytes.subarray(0, end);
  }
}

const keepLast = (positions: number[], count: number): void => {
  // Nearly always nothing is left, and `splice` is slow.
  if (count === 0) positions.length = 0;
  else positions.splice(0, positions.length - count);
};

/** Knuth, Morris and Pratt's table: the longest end of each beginning that is a beginning too. */
const fallbackOf = (value: Buffer): number[] => {
  const table = [0, 0];
  let fits = 0;
  for (let at = 1; at < value.length; at++) {
    while (fits > 0 && value[at] !== value[fits]) fits = table[fits]!;
    if (value[at] === value[fits]) fits++;
    table.push(fits);
  }
  return table;
};
