/**
 * Replaces secret values in a stream of output by asterisks, one for each byte, so that positions do not
 * shift.
 *
 * A value is also found if it comes in pieces, has colours, cursor movements or line ends in it, or
 * stands in a title. While the output ends with the first part of a value, those bytes are held back.
 * The caller decides for how long (`flush`). If the rest of the value comes after that, it is masked.
 */
import type { MaskSnapshot } from '../snapshot/session-snapshot.ts';
import { EscapeScanner, STRING_BYTE, TEXT_BYTE } from './escape-scanner.ts';

const ASTERISK = 0x2a;
const ESC = 0x1b;

/** A flush masks a part of a value that has this many bytes or more, or half of the value: it would
 * reveal too much. */
const MASKED_BYTES = 4;

/** How much of a value matches the end of the output. */
interface PartialMatch {
  readonly value: Buffer;
  /** By the number of matching bytes: how many still match if the next byte does not. */
  readonly fallback: readonly number[];
  /** The positions of the matching bytes in the stream. */
  readonly at: number[];
}

export class SecretMask {
  readonly #values: Buffer[] = [];
  readonly #escapes = new EscapeScanner();
  /** Text continues after an escape sequence, so titles and the like are matched apart from it. */
  #inText: PartialMatch[] = [];
  #inStrings: PartialMatch[] = [];
  /** 1 for each byte that can start a value or a sequence. All others are skipped. */
  readonly #startBytes = new Uint8Array(256);
  #held: Buffer = Buffer.alloc(0);
  /** The position in the stream up to which bytes were released. */
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

  /** Masks this value from now on. Returns its bytes, which `forget` overwrites. */
  add(text: string): Buffer {
    // Not `from`, which may use a shared pool that we could not overwrite.
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
    this.#startBytes[ESC] = 1;
    this.#startBytes[value[0]!] = 1;
    return value;
  }

  /** Takes output, and returns what can be shown now. */
  write(chunk: Uint8Array): Buffer {
    const bytes = Buffer.concat([this.#held, chunk]);
    const startBytes = this.#startBytes;
    for (let at = this.#held.length; at < bytes.length; at++) {
      if (this.#isIdle) while (at < bytes.length && startBytes[bytes[at]!] === 0) at++;
      if (at === bytes.length) break;
      const byte = bytes[at]!;
      const kind = this.#escapes.take(byte);
      if (kind === TEXT_BYTE) this.#advance(this.#inText, bytes, at);
      else if (kind === STRING_BYTE) this.#advance(this.#inStrings, bytes, at);
      else if (byte === ESC) for (const { at } of this.#inStrings) at.length = 0;
    }
    const first = Math.min(...this.#all.map(({ at }) => at[0] ?? Number.POSITIVE_INFINITY));
    const end = Math.min(bytes.length, Math.max(0, first - this.#released));
    return this.#release(bytes, end);
  }

  /** Returns what was held back, masked if it is too much of a value to be shown. */
  flush(): Buffer {
    for (const { value, at } of this.#all) {
      const tooMuch = Math.min(MASKED_BYTES, Math.ceil(value.length / 2));
      if (at.length >= tooMuch) this.#mask(this.#held, at);
    }
    return this.#release(this.#held, this.#held.length);
  }

  /** Masks text from the screen, also if a value wraps onto the next row. */
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

  /** Whether it is so much of the start of a value that it would reveal too much. */
  isStartOfValue(text: string): boolean {
    return text.length >= MASKED_BYTES && this.#values.some((value) => value.indexOf(text) === 0);
  }

  /** Masks bytes that are not part of the stream, such as a person's paste. */
  inBytes(bytes: Uint8Array): Uint8Array {
    const masked = Buffer.from(bytes);
    for (const value of this.#values) {
      for (let at = masked.indexOf(value); at !== -1; at = masked.indexOf(value, at + value.length))
        masked.fill(ASTERISK, at, at + value.length);
    }
    return masked;
  }

  snapshot(): MaskSnapshot {
    return {
      values: this.#values.map((value) => Uint8Array.from(value)),
      inText: this.#inText.map(({ at }) => [...at]),
      inStrings: this.#inStrings.map(({ at }) => [...at]),
      held: Uint8Array.from(this.#held),
      released: this.#released,
      escapeState: this.#escapes.state,
    };
  }

  restore({ values, inText, inStrings, held, released, escapeState }: MaskSnapshot): void {
    for (const value of values) this.add(Buffer.from(value).toString());
    for (const [at, { at: positions }] of this.#inText.entries()) positions.push(...inText[at]!);
    for (const [at, { at: positions }] of this.#inStrings.entries())
      positions.push(...inStrings[at]!);
    this.#held = Buffer.from(held);
    this.#released = released;
    this.#escapes.state = escapeState;
  }

  /** Overwrites the values. */
  forget(): void {
    for (const value of this.#values.splice(0)) value.fill(0);
    this.#inText = [];
    this.#inStrings = [];
    this.#held.fill(0);
    this.#held = Buffer.alloc(0);
    this.#startBytes.fill(0);
  }

  get #all(): PartialMatch[] {
    return [...this.#inText, ...this.#inStrings];
  }

  /** Whether the output is neither within a value nor within an escape sequence. */
  get #isIdle(): boolean {
    if (this.#escapes.isInSequence) return false;
    for (const { at } of this.#inText) if (at.length > 0) return false;
    return true;
  }

  #advance(matches: readonly PartialMatch[], bytes: Buffer, index: number): void {
    const byte = bytes[index];
    for (const { value, fallback, at } of matches) {
      while (at.length > 0 && value[at.length] !== byte) keepLast(at, fallback[at.length]!);
      if (value[at.length] !== byte) continue;
      at.push(this.#released + index);
      if (at.length < value.length) continue;
      this.#mask(bytes, at);
      keepLast(at, fallback[at.length]!);
    }
  }

  /** `bytes` starts with what is held back. What was released before cannot be masked any more. */
  #mask(bytes: Buffer, positions: readonly number[]): void {
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
  // Nearly always none are kept, and `splice` is slow.
  if (count === 0) positions.length = 0;
  else positions.splice(0, positions.length - count);
};

/** The Knuth-Morris-Pratt table: for each prefix, the longest proper suffix that is also a prefix. */
const fallbackOf = (value: Buffer): number[] => {
  const table = [0, 0];
  let matching = 0;
  for (let at = 1; at < value.length; at++) {
    while (matching > 0 && value[at] !== value[matching]) matching = table[matching]!;
    if (value[at] === value[matching]) matching++;
    table.push(matching);
  }
  return table;
};
