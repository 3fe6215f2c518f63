/**
 * Brings the output to the screen: keeps it, and parses it at once where that matters, in steps
 * where positions matter, later or never where they do not.
 */

import type { History } from './history/history.ts';
import type { LiveLines } from './lines/live-lines.ts';
import { isAlternate } from './sequences/modes.ts';
import { Scanner } from './sequences/scanner.ts';
import { inUtf8, unfinishedCharacter } from './sequences/utf8.ts';
import { endLongCharacter } from './sequences/work-limits.ts';
import { findSkippable } from './skip-flood.ts';
import type { Xterm } from './xterm/xterm.ts';

/**
 * xterm keeps a buffer as long as the longest piece it was ever given, and a character can get so
 * many marks before endLongCharacter looks.
 */
const STEP_BYTES = 1024;

/** Less than this share of the bytes kept is parsed without looking for what could be skipped. */
const FLOOD_SHARE = 1 / 8;

/** Output is taken in slices of this size, so that a huge write cannot outgrow the history. */
const SLICE_BYTES = 64 * 1024;

export class Feed {
  /** Bytes that were never parsed. */
  skipped = 0;
  readonly #xterm: Xterm;
  readonly #history: History;
  readonly #lines: LiveLines;
  readonly #onSequence: (position: number) => void;
  readonly #scanner = new Scanner();
  /** How far the output is parsed, and the start of a character at its end that has to wait. */
  #parsed = 0;
  #begun = new Uint8Array(0);
  #isParsing = false;
  /** How far it is to be parsed by the time that nobody parses any more. */
  #goal = 0;

  /** `onSequence` is called after each escape sequence that may have switched a mode. */
  constructor(
    { xterm, history, lines }: { xterm: Xterm; history: History; lines: LiveLines },
    onSequence: (position: number) => void,
  ) {
    this.#xterm = xterm;
    this.#history = history;
    this.#lines = lines;
    this.#onSequence = onSequence;
  }

  get position(): number {
    return this.#scanner.position;
  }

  /** A sequence or a character that has begun and not ended, so that the screen does not show it. */
  get unparsed(): Uint8Array {
    const { bytes } = this.#history;
    const slices = [...bytes.slices(this.#parsed, this.position)].map((slice) => slice.bytes);
    return Buffer.concat([this.#begun, ...slices]);
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES) {
      this.#writeSlice(bytes.subarray(at, at + SLICE_BYTES));
    }
  }

  /** Parses what was put off. All of it is plain. */
  catchUp(): void {
    const end = this.#scanner.complete;
    if (end === this.#parsed || this.#isParsing) return;
    this.#skipTowards(end);
    this.#parse(end);
  }

  #writeSlice(bytes: Uint8Array): void {
    const plainEnd = this.#scanner.complete;
    const isPlain = this.#scanner.scan(bytes);
    this.#history.bytes.append(bytes, this.#scanner.newlines, this.#parsed);
    if (!isPlain) {
      this.#skipTowards(plainEnd);
      this.#parse(this.#scanner.complete);
    } else if (this.#isTooMuchWaiting) {
      this.#skipTowards(this.#scanner.complete);
      if (this.#isTooMuchWaiting) this.catchUp();
    }
  }

  get #isTooMuchWaiting(): boolean {
    return this.#scanner.complete - this.#parsed > this.#history.maxBytes >> 1;
  }

  #parse(end: number): void {
    // Whoever is told of an event sees the screen as it is at that event; what is written then waits.
    this.#goal = Math.max(this.#goal, end);
    if (this.#isParsing) return;
    this.#isParsing = true;
    try {
      for (let from = -1; from < this.#parsed && this.#parsed < this.#goal; ) {
        from = this.#parsed;
        this.#parseSteps(this.#goal);
      }
    } finally {
      this.#isParsing = false;
      this.#lines.settle();
      this.#history.bytes.forget(this.#parsed);
    }
  }

  #parseSteps(end: number): void {
    const { cuts } = this.#scanner;
    for (const { position, bytes } of this.#history.bytes.slices(this.#parsed, end)) {
      let nextCut = 0;
      for (let at = 0; at < bytes.length; ) {
        while (nextCut < cuts.length && cuts[nextCut]! <= position + at) nextCut++;
        const cut = nextCut < cuts.length ? cuts[nextCut]! - position : Number.POSITIVE_INFINITY;
        const lineFeed = bytes.indexOf(0x0a, at);
        const afterLine = lineFeed === -1 ? Number.POSITIVE_INFINITY : lineFeed + 1;
        const to = Math.min(bytes.length, cut, afterLine, at + STEP_BYTES);
        this.#step(bytes.subarray(at, to), position + to);
        if (to === cut || to === afterLine) this.#lines.cut(bytes[to - 1] === 0x0a);
        if (to === cut) this.#onSequence(position + to);
        at = to;
      }
      while (nextCut < cuts.length && cuts[nextCut]! <= this.#parsed) nextCut++;
      cuts.splice(0, nextCut);
    }
  }

  #step(bytes: Uint8Array, end: number): void {
    this.#parsed = end;
    this.#lines.position = end;
    this.#parseCharacters(bytes);
  }

  /** xterm 6.0.0 loses a character cut after a byte 0x80, as every "’" can be, so none is cut. */
  #parseCharacters(bytes: Uint8Array): void {
    const whole = this.#begun.length > 0 ? Buffer.concat([this.#begun, bytes]) : bytes;
    const end = whole.length - unfinishedCharacter(whole);
    if (end < whole.length || this.#begun.length > 0)
      this.#begun = Uint8Array.from(whole.subarray(end));
    this.#xterm.core._inputHandler.parse(inUtf8(whole.subarray(0, end)));
    if (whole[end - 1]! >= 0x80) endLongCharacter(this.#xterm);
  }

  /** Passes over what cannot matter to the screen, the history and the readers. */
  #skipTowards(end: number): void {
    if (end - this.#parsed < this.#history.maxBytes * FLOOD_SHARE) return;
    const from = this.#parseUntilSkippable(end);
    if (from === -1) return;
    const { rows } = this.#xterm.terminal;
    const { lastEscape } = this.#scanner;
    const stretch = findSkippable(this.#history, { from, to: end, rows, lastEscape });
    if (stretch === undefined) return;
    this.#xterm.core._inputHandler.parse(stretch.colours);
    this.#parsed = stretch.to;
    this.#lines.position = stretch.to;
    const bytesSkipped = stretch.to - stretch.from;
    this.#lines.skip(stretch.lines, bytesSkipped);
    this.skipped += bytesSkipped;
    this.#history.bytes.forget(this.#parsed);
  }

  /** Parses as much as readers are to see, and until only the last row is written to. */
  #parseUntilSkippable(end: number): number {
    const { bytes, headBytes, readers } = this.#history;
    const afterLines = (position: number, lines: number) =>
      bytes.afterNewline(bytes.newlinesBefore(position) + lines);
    let from = this.#parsed;
    const heads = [...readers].map(({ position }) => position + headBytes);
    const headEnd = Math.max(0, ...heads.filter((to) => to < end));
    if (headEnd > from) from = afterLines(headEnd, 1);
    // After as many lines as there are rows the cursor is on the last one.
    if (from === this.#parsed && !this.#canSkip())
      from = afterLines(from, this.#xterm.terminal.rows);
    if (from === -1 || from >= end) return -1;
    this.#parse(from);
    return this.#canSkip() ? from : -1;
  }

  /** Whether a line has just ended, and the next line feed will only scroll the screen by a line. */
  #canSkip(): boolean {
    const { core, terminal } = this.#xterm;
    if (this.#history.bytes.byteAt(this.#parsed - 1) !== 0x0a) return false;
    const { y, scrollTop, scrollBottom } = core.buffers.normal;
    const last = terminal.rows - 1;
    return (
      !isAlternate(core) &&
      y === last &&
      scrollTop === 0 &&
      scrollBottom === last &&
      // Otherwise a backspace at the left edge goes up a row.
      !core.coreService.decPrivateModes.reverseWraparound &&
      core._inputHandler._parser.currentState === 0
    );
  }
}
