/**
 * Scans every byte once, before xterm parses it, to find out what must be parsed at once.
 *
 * `plain` output (text, CR, LF, tabs, backspaces, colours) causes no event and no reply, so it can
 * wait until the screen is needed. Anything else is parsed at once. When in doubt, output is not
 * plain. An unfinished sequence is held back, so that parsing always stops between two sequences,
 * and the position at which each one ended is known.
 *
 * It also notes the first sequence and the first character that can hide text from a person, so that
 * nobody looks for hidden text where there can be none.
 */

import type { ParserSnapshot } from '../screen-snapshot.ts';
import type { HidingSigns } from '../xterm/row-reader.ts';
import { beginsInvisible, canConceal, INVISIBLE_LEADS } from './hiding-signs.ts';
import {
  CSI,
  CSI_PARAMETERS,
  ESCAPE,
  GROUND,
  GROUND_AFTER_C2,
  nextState,
  ODD_CSI,
  ODD_CSI_PARAMETERS,
} from './parser-states.ts';

/** A longer sequence is not held back. Then only the position of its end is less exact. */
const MAX_HELD_BYTES = 64 * 1024;

const CHARACTER_BYTES = 4;
/** Larger parameters have no meaning. */
const MAX_PARAMETER = 9999;

const TEXT = 0;
const LINE_FEED = 1;
const OTHER = 2;
/** The first byte of some characters that no terminal draws. */
const LEAD = 3;
const byteKinds = new Uint8Array(256);
byteKinds.fill(OTHER, 0, 0x20);
for (const control of [0x08, 0x09, 0x0d]) byteKinds[control] = TEXT;
byteKinds[0x0a] = LINE_FEED;
byteKinds[0x7f] = OTHER;
byteKinds[0xc2] = OTHER;
for (const lead of INVISIBLE_LEADS) byteKinds[lead] = LEAD;

export class OutputScanner {
  /** The number of bytes scanned so far. */
  position = 0;
  /** Line feeds in the bytes of the last `scan`. */
  newlines = 0;
  /** Where the last escape sequence began, -1 before the first. */
  lastEscape = -1;
  /**
   * Positions where parsing must stop: after sequences that may cause an event or begin a line. The
   * parser removes those it has passed.
   */
  readonly stops: number[] = [];
  /** What the output has had that can hide text. */
  readonly #signs: HidingSigns;
  #state = GROUND;
  #sequenceStart = 0;
  /** Of the CSI sequence that is being scanned: the last parameter, and whether one before can conceal. */
  #parameter = 0;
  #canConceal = false;
  /** The first bytes of a character that may be invisible, of which the rest has not come yet. */
  #cutCharacter = new Uint8Array(0);

  constructor(signs: HidingSigns = { conceals: false, isInvisible: false }) {
    this.#signs = signs;
  }

  /** Output can be parsed up to here: the end, or the start of an unfinished sequence. */
  get parseableEnd(): number {
    return this.#isHeldBack ? this.#sequenceStart : this.position;
  }

  /** Where a sequence began that is too long to be held back, and has not ended. */
  get begunSequence(): number | undefined {
    return this.#state !== GROUND && !this.#isHeldBack ? this.#sequenceStart : undefined;
  }

  snapshot(): ParserSnapshot['scanner'] {
    const { position, lastEscape, stops } = this;
    return {
      position,
      lastEscape,
      stops: [...stops],
      state: this.#state,
      sequenceStart: this.#sequenceStart,
      sgr: { parameter: this.#parameter, canConceal: this.#canConceal },
      cutCharacter: Uint8Array.from(this.#cutCharacter),
      signs: { ...this.#signs },
    };
  }

  restore(snapshot: ParserSnapshot['scanner']): void {
    this.position = snapshot.position;
    this.lastEscape = snapshot.lastEscape;
    this.stops.push(...snapshot.stops);
    this.#state = snapshot.state;
    this.#sequenceStart = snapshot.sequenceStart;
    this.#parameter = snapshot.sgr.parameter;
    this.#canConceal = snapshot.sgr.canConceal;
    this.#cutCharacter = Uint8Array.from(snapshot.cutCharacter);
    Object.assign(this.#signs, snapshot.signs);
  }

  /** Whether these bytes are plain. */
  scan(bytes: Uint8Array): boolean {
    const start = this.position;
    // A sequence that is too long to hold back has been parsed up to here.
    let isPlain = this.#state === GROUND || this.#isHeldBack;
    let state = this.#state;
    this.newlines = 0;
    const words = wordsOf(bytes);
    if (this.#cutCharacter.length > 0) {
      const character = Buffer.concat([this.#cutCharacter, bytes.subarray(0, CHARACTER_BYTES)]);
      this.#cutCharacter = new Uint8Array(0);
      this.#noteCharacter(character, 0);
    }
    for (let at = 0; at < bytes.length; at++) {
      if (state === GROUND) {
        at = this.#skipText(bytes, words, at);
        if (at === bytes.length) break;
      }
      const byte = bytes[at]!;
      if (byte === 0x0a) this.newlines++;
      const next = nextState(state, byte);
      if (state === GROUND) this.#sequenceStart = start + at;
      else this.#noteHidingSequence(state, next, byte);
      if (byte === 0x1b) this.lastEscape = start + at;
      if (!isPlainStep(state, next, byte)) {
        isPlain = false;
        if (next === GROUND && isStop(state, byte)) this.stops.push(start + at + 1);
      }
      state = next;
    }
    this.#state = state;
    this.position = start + bytes.length;
    return isPlain && (state === GROUND || this.#isHeldBack);
  }

  /**
   * The index of the first byte that is neither text, a line feed nor colours. In a flood this takes most of
   * the time, so it tests eight bytes at once. In each byte of a word the highest bit is set if it
   * was set before (not ASCII), after adding 1 (0x7F), or after subtracting 0x20 (a control). A
   * borrow may set it for a letter next to a control. A word with such a bit is examined byte by
   * byte.
   */
  #skipText(bytes: Uint8Array, words: Int32Array, from: number): number {
    const length = bytes.length;
    const lead = words.byteOffset - bytes.byteOffset;
    let at = from;
    let newlines = 0;
    while (at < length) {
      // Words can only be read at addresses that are multiples of four.
      const offset = at - lead;
      if (offset >= 0 && (offset & 3) === 0) {
        let word = offset >> 2;
        for (const last = words.length - 1; word < last; word += 2) {
          const a = words[word]!;
          const b = words[word + 1]!;
          const flagsA = a | ((a & 0x7f7f7f7f) + 0x01010101) | ((a - 0x20202020) & ~a);
          const flagsB = b | ((b & 0x7f7f7f7f) + 0x01010101) | ((b - 0x20202020) & ~b);
          if (((flagsA | flagsB) & 0x80808080) !== 0) break;
        }
        at = lead + (word << 2);
      }
      for (const end = Math.min(length, at + 8 - ((at - lead) & 3)); at < end; at++) {
        const kind = byteKinds[bytes[at]!];
        if (kind === TEXT) continue;
        if (kind === LEAD) {
          if (!this.#signs.isInvisible) this.#noteCharacter(bytes, at);
          continue;
        }
        if (kind === LINE_FEED) {
          newlines++;
          continue;
        }
        const colours = bytes[at] === 0x1b ? this.#endOfColours(bytes, at) : -1;
        if (colours === -1) {
          this.newlines += newlines;
          return at;
        }
        this.lastEscape = this.position + at;
        at = colours;
      }
    }
    this.newlines += newlines;
    return length;
  }

  #noteCharacter(bytes: Uint8Array, at: number): void {
    const isInvisible = beginsInvisible(bytes, at);
    if (isInvisible) this.#signs.isInvisible = true;
    if (isInvisible === undefined) this.#cutCharacter = Uint8Array.from(bytes.subarray(at));
  }

  /** The last byte of the colours that begin here as a whole, or -1: most sequences of a flood are such. */
  #endOfColours(bytes: Uint8Array, from: number): number {
    if (bytes[from + 1] !== 0x5b) return -1;
    let parameter = 0;
    let conceals = false;
    for (let at = from + 2; at < bytes.length; at++) {
      const byte = bytes[at]!;
      if (byte >= 0x30 && byte <= 0x39) {
        parameter = Math.min(parameter * 10 + byte - 0x30, MAX_PARAMETER);
        continue;
      }
      if (byte !== 0x3a && byte !== 0x3b && byte !== 0x6d) return -1;
      conceals ||= canConceal(parameter);
      parameter = 0;
      if (byte !== 0x6d) continue;
      if (conceals) this.#signs.conceals = true;
      return at;
    }
    return -1;
  }

  /** Called for each byte after the first of a sequence. */
  #noteHidingSequence(state: number, next: number, byte: number): void {
    // A sequence that is broken off by a character, of which this byte may be the first one: it is rare.
    if (next === GROUND && byte > 0xc2) this.#signs.isInvisible = true;
    if (next === CSI || next === ODD_CSI) {
      this.#parameter = 0;
      this.#canConceal = false;
    } else if (byte >= 0x30 && byte <= 0x39) {
      this.#parameter = Math.min(this.#parameter * 10 + byte - 0x30, MAX_PARAMETER);
    } else if (byte >= 0x3a && byte <= 0x7e && state >= CSI && state <= ODD_CSI_PARAMETERS) {
      // Not a control character: it is executed, and the parameter goes on after it.
      this.#canConceal ||= canConceal(this.#parameter);
      this.#parameter = 0;
      if (byte === 0x6d && this.#canConceal) this.#signs.conceals = true;
    }
  }

  get #isHeldBack(): boolean {
    return this.#state !== GROUND && this.position - this.#sequenceStart <= MAX_HELD_BYTES;
  }
}

const noWords = new Int32Array(0);

/** The same memory as words of four bytes, from the first address that is a multiple of four. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  const lead = -byteOffset & 3;
  return length < lead ? noWords : new Int32Array(buffer, byteOffset + lead, (length - lead) >> 2);
}

function isPlainStep(state: number, next: number, byte: number): boolean {
  switch (state) {
    case GROUND:
      return next === ESCAPE || next === GROUND_AFTER_C2;
    case GROUND_AFTER_C2:
      // U+0080 to U+009F are controls. Others are a character, or half of one and a plain byte.
      return next === ESCAPE || (isText(byte) && (byte < 0x80 || byte > 0x9f));
    case ESCAPE:
      return next === CSI;
    case CSI:
    case CSI_PARAMETERS:
      return next === CSI_PARAMETERS || (next === GROUND && byte === 0x6d);
    default:
      return false;
  }
}

/** Of the CSI sequences without a prefix only ED and SU begin lines, and none causes an event. */
const isStop = (state: number, byte: number) =>
  (state !== CSI && state !== CSI_PARAMETERS) || byte === 0x4a || byte === 0x53;

const isText = (byte: number) => byteKinds[byte] !== OTHER || byte === 0xc2;
