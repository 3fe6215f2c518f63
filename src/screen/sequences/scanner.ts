/**
 * Looks at every byte once, before the screen does, to find out how much the screen has to.
 *
 * `plain` output (text, CR, LF, tabs, backspaces, colours) asks nothing of us and can wait until
 * somebody looks. Anything else is parsed at once. When in doubt, output is not plain.
 * A sequence that has not ended yet is held back, so that what is parsed ends between two sequences,
 * and the position at which each one ended is known.
 */

const GROUND = 0;
const ESCAPE = 1;
/** ESC and intermediates, such as the `(` of a charset. */
const ESCAPE_INTERMEDIATE = 2;
const CSI = 3;
/** A CSI with a private prefix or an intermediate: never SGR. */
const CSI_PRIVATE = 4;
const OSC = 5;
/** DCS, SOS, PM and APC: they end with ST, never with BEL. */
const STRING = 6;
/** Added to a state after 0xC2: the byte that follows may make it a C1 control in UTF-8. */
const AFTER_C2 = 8;

/** A sequence longer than this is parsed as it comes; only the position of its end is less exact. */
const HELD_BYTES = 64 * 1024;

const TEXT = 0;
const LINE_FEED = 1;
const INTERESTING = 2;
const kinds = new Uint8Array(256);
kinds.fill(INTERESTING, 0, 0x20);
for (const plain of [0x08, 0x09, 0x0d]) kinds[plain] = TEXT;
kinds[0x0a] = LINE_FEED;
kinds[0x7f] = INTERESTING;
kinds[0xc2] = INTERESTING;

export class Scanner {
  /** How many bytes were scanned. */
  position = 0;
  /** Line feeds in the bytes of the last `scan`. */
  newlines = 0;
  /** Where the last escape sequence began, -1 before the first. */
  lastEscape = -1;
  /** Positions after sequences that may cause an event or begin a line; whoever parses takes them. */
  readonly cuts: number[] = [];
  #state = GROUND;
  #began = 0;

  /** Up to here output can be parsed: to the end, or to the sequence that has not ended yet. */
  get complete(): number {
    return this.#isHeld ? this.#began : this.position;
  }

  /** Whether these bytes are plain. */
  scan(bytes: Uint8Array): boolean {
    const start = this.position;
    // A sequence too long to be held back is parsed already, up to here.
    let plain = this.#state === GROUND || this.#isHeld;
    let state = this.#state;
    this.newlines = 0;
    const words = wordsOf(bytes);
    for (let at = 0; at < bytes.length; at++) {
      if (state === GROUND) {
        at = this.#passText(bytes, words, at);
        if (at === bytes.length) break;
      }
      const byte = bytes[at]!;
      if (byte === 0x0a) this.newlines++;
      const next = step(state, byte);
      const begins = byte === 0x1b || (byte === 0xc2 && state === GROUND);
      if (begins) this.#began = start + at;
      if (byte === 0x1b) this.lastEscape = start + at;
      if (!isPlainStep(state, next, byte)) {
        plain = false;
        if (next === GROUND && isCut(state, byte)) this.cuts.push(start + at + 1);
      }
      state = next;
    }
    this.#state = state;
    this.position = start + bytes.length;
    return plain && (state === GROUND || this.#isHeld);
  }

  /**
   * The index of the first byte that is neither text nor a line feed. Of a flood this is the work,
   * so eight bytes are looked at at once. In each byte of a word the highest bit gets set if it was
   * (not ASCII), by adding 1 (0x7F), or by taking away 0x20 (a control). A borrow may set it for a
   * letter beside a control; a word in which one is set is looked at byte by byte.
   */
  #passText(bytes: Uint8Array, words: Int32Array, from: number): number {
    const length = bytes.length;
    const lead = words.byteOffset - bytes.byteOffset;
    let at = from;
    let newlines = 0;
    while (at < length) {
      // The memory can be read in words from the first address that is a multiple of four.
      const into = at - lead;
      if (into >= 0 && (into & 3) === 0) {
        let word = into >> 2;
        for (const last = words.length - 1; word < last; word += 2) {
          const a = words[word]!;
          const b = words[word + 1]!;
          const inA = a | ((a & 0x7f7f7f7f) + 0x01010101) | ((a - 0x20202020) & ~a);
          const inB = b | ((b & 0x7f7f7f7f) + 0x01010101) | ((b - 0x20202020) & ~b);
          if (((inA | inB) & 0x80808080) !== 0) break;
        }
        at = lead + (word << 2);
      }
      for (const end = Math.min(length, at + 8 - ((at - lead) & 3)); at < end; at++) {
        const kind = kinds[bytes[at]!];
        if (kind === TEXT) continue;
        if (kind !== LINE_FEED) {
          this.newlines += newlines;
          return at;
        }
        newlines++;
      }
    }
    this.newlines += newlines;
    return length;
  }

  get #isHeld(): boolean {
    return this.#state !== GROUND && this.position - this.#began <= HELD_BYTES;
  }
}

const noWords = new Int32Array(0);

/** The same memory in words of four bytes, as far as it lies at multiples of four. */
function wordsOf({ buffer, byteOffset, length }: Uint8Array): Int32Array {
  const lead = -byteOffset & 3;
  return length < lead ? noWords : new Int32Array(buffer, byteOffset + lead, (length - lead) >> 2);
}

/** Follows https://vt100.net/emu/dec_ansi_parser as far as it matters where a sequence ends. */
function step(state: number, byte: number): number {
  if (byte === 0x1b) return ESCAPE;
  if (byte === 0x18 || byte === 0x1a) return GROUND;
  if (state >= AFTER_C2) {
    const before = state - AFTER_C2;
    return byte >= 0x80 && byte <= 0x9f ? afterC1(byte) : step(before, byte);
  }
  if (byte === 0xc2) return state === OSC || state === STRING ? state + AFTER_C2 : AFTER_C2;
  switch (state) {
    case ESCAPE:
      if (byte === 0x5b) return CSI;
      if (byte === 0x5d) return OSC;
      if (byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f) return STRING;
      if (byte < 0x20) return ESCAPE;
      return byte < 0x30 ? ESCAPE_INTERMEDIATE : GROUND;
    case ESCAPE_INTERMEDIATE:
      return byte < 0x30 ? ESCAPE_INTERMEDIATE : GROUND;
    case CSI:
      if (byte < 0x20 || (byte >= 0x30 && byte <= 0x3b)) return CSI;
      return byte < 0x40 ? CSI_PRIVATE : GROUND;
    case CSI_PRIVATE:
      return byte < 0x40 ? CSI_PRIVATE : GROUND;
    case OSC:
      return byte === 0x07 ? GROUND : OSC;
    case STRING:
      return STRING;
    default:
      return GROUND;
  }
}

function afterC1(byte: number): number {
  if (byte === 0x9b) return CSI_PRIVATE;
  if (byte === 0x9d) return OSC;
  return byte === 0x90 || byte === 0x98 || byte >= 0x9e ? STRING : GROUND;
}

function isPlainStep(state: number, next: number, byte: number): boolean {
  switch (state) {
    case GROUND:
      return next === ESCAPE || next === AFTER_C2;
    case AFTER_C2:
      // U+0080 to U+009F are controls. Else it is a character, or half of one and something plain.
      return next === ESCAPE || (isText(byte) && (byte < 0x80 || byte > 0x9f));
    case ESCAPE:
      return next === CSI;
    case CSI:
      return byte >= 0x20 && (next === CSI || (next === GROUND && byte === 0x6d));
    default:
      return false;
  }
}

/** Of the CSI sequences without a prefix only ED and SU begin lines, and none causes an event. */
const isCut = (state: number, byte: number) => state !== CSI || byte === 0x4a || byte === 0x53;

const isText = (byte: number) => kinds[byte] !== INTERESTING || byte === 0xc2;
