/**
 * Feeds the output to the screen. All output goes to the history. Output that may cause an event is
 * parsed at once, and in steps, so that the position of each event is known. Plain output is parsed
 * later, or never if nobody can see it any more.
 */

import type { OutputHistory } from './history/output-history.ts';
import type { LiveLines } from './lines/live-lines.ts';
import type { ParserSnapshot } from './screen-snapshot.ts';
import { WIDE_COLS } from './sequences/affordable-bytes.ts';
import { finalMarkIn } from './sequences/final-mark.ts';
import { isAlternateScreen } from './sequences/modes.ts';
import { OutputScanner } from './sequences/output-scanner.ts';
import { replaceInvalidUtf8, unfinishedCharacterBytes } from './sequences/utf8.ts';
import { findSkippableStretch } from './skip-flood.ts';
import type { HidingSigns } from './xterm/row-reader.ts';
import type { Xterm } from './xterm/xterm.ts';

/**
 * At most this much is parsed at once. xterm keeps a buffer as long as the longest piece it ever got.
 */
const STEP_BYTES = 1024;

/** A backlog smaller than this share of the history, and with fewer lines, is parsed as it is. */
const MIN_FLOOD_SHARE = 1 / 8;
const MIN_FLOOD_LINES = 30_000;

/**
 * Whoever looks at the screen waits until the backlog is parsed, and all other sessions with it. To begin a
 * row takes about a microsecond, so this is as long as for two megabytes of text.
 */
const MAX_BACKLOG_ROWS = 80_000;

export interface OutputParserParts {
  xterm: Xterm;
  history: OutputHistory;
  lines: LiveLines;
  /** The parser notes there what the output has that can hide text. */
  signs: HidingSigns;
  /** The key of the mark with which the program ends. */
  finalMarkKey?: string;
}

export class OutputParser {
  /** The final mark, if it has come and is not parsed yet. */
  finalMark: { text: string; plainEnd: number } | undefined;
  /** Bytes that were never parsed. */
  skippedBytes = 0;
  /** How often the emulator has failed. */
  faults = 0;
  readonly #xterm: Xterm;
  readonly #history: OutputHistory;
  readonly #lines: LiveLines;
  readonly #onSequence: (position: number) => void;
  readonly #scanner: OutputScanner;
  readonly #finalMarkKey: string | undefined;
  /** The position up to which output is parsed, and the start of a character that was cut there. */
  #parsedTo = 0;
  #partialCharacter = new Uint8Array(0);
  #isParsing = false;
  /** Line feeds in what was parsed or skipped. */
  #parsedNewlines = 0;
  /** The position up to which the running `#parse` will parse. */
  #parseTarget = 0;

  /** `onSequence` is called after each escape sequence that may have switched a mode. */
  constructor(
    { xterm, history, lines, signs, finalMarkKey }: OutputParserParts,
    onSequence: (position: number) => void,
  ) {
    this.#xterm = xterm;
    this.#history = history;
    this.#lines = lines;
    this.#scanner = new OutputScanner(signs);
    this.#onSequence = onSequence;
    this.#finalMarkKey = finalMarkKey;
  }

  get position(): number {
    return this.#scanner.position;
  }

  /** An unfinished sequence or character at the end, which the screen does not show yet. */
  get unparsed(): Uint8Array {
    const { bytes } = this.#history;
    const slices = [...bytes.slices(this.#parsedTo, this.position)].map((slice) => slice.bytes);
    return Buffer.concat([this.#partialCharacter, ...slices]);
  }

  snapshot(): ParserSnapshot {
    const { begunSequence = this.#parsedTo } = this.#scanner;
    const slices = [...this.#history.bytes.slices(begunSequence, this.#parsedTo)];
    return {
      skippedBytes: this.skippedBytes,
      parsedTo: this.#parsedTo,
      partialCharacter: Uint8Array.from(this.#partialCharacter),
      scanner: this.#scanner.snapshot(),
      begunSequence: Uint8Array.from(Buffer.concat(slices.map(({ bytes }) => bytes))),
    };
  }

  /** Call this when the emulator and the history are restored. */
  restore({
    skippedBytes,
    parsedTo,
    partialCharacter,
    scanner,
    begunSequence,
  }: ParserSnapshot): void {
    this.skippedBytes = skippedBytes;
    this.#parsedTo = parsedTo;
    this.#parseTarget = parsedTo;
    this.#parsedNewlines = this.#history.bytes.newlinesBefore(parsedTo);
    this.#partialCharacter = Uint8Array.from(partialCharacter);
    this.#scanner.restore(scanner);
    if (begunSequence.length > 0) this.#xterm.core._inputHandler.parse(begunSequence);
  }

  /** Takes a piece that is much smaller than the history. */
  write(bytes: Uint8Array): void {
    this.parseFinalMark();
    const plainEnd = this.#scanner.parseableEnd;
    const isBetweenSequences = plainEnd === this.position;
    const isPlain = this.#scanner.scan(bytes);
    this.#history.bytes.append(bytes, this.#scanner.newlines, this.#parsedTo);
    if (!isPlain) {
      if (isBetweenSequences && this.#finalMarkKey !== undefined) {
        const text = finalMarkIn(bytes, this.#finalMarkKey);
        this.finalMark = text === undefined ? undefined : { text, plainEnd };
        if (text !== undefined) return;
      }
      this.#skipUpTo(plainEnd);
      this.#parse(this.#scanner.parseableEnd);
    } else if (this.#xterm.terminal.cols > WIDE_COLS) {
      // Each line feed is much work, so none is left for later: then all of it would come at once.
      this.#parse(this.#scanner.parseableEnd);
    } else if (this.#isBacklogLarge) {
      this.#skipUpTo(this.#scanner.parseableEnd);
      if (this.#isBacklogLarge) this.catchUp();
    }
  }

  /** Whatever comes after it, or looks: from here on it is parsed as any other sequence. */
  parseFinalMark(): void {
    if (this.finalMark === undefined) return;
    const { plainEnd } = this.finalMark;
    this.finalMark = undefined;
    this.#skipUpTo(plainEnd);
    this.#parse(this.#scanner.parseableEnd);
  }

  /** Parses the output that was deferred. All of it is plain. */
  catchUp(): void {
    this.parseFinalMark();
    const end = this.#scanner.parseableEnd;
    if (end === this.#parsedTo || this.#isParsing) return;
    this.#skipUpTo(end);
    this.#parse(end);
  }

  get #backlogLines(): number {
    return this.#history.bytes.newlines - this.#parsedNewlines;
  }

  get #isBacklogLarge(): boolean {
    const bytes = this.#scanner.parseableEnd - this.#parsedTo;
    const rows = this.#backlogLines + bytes / this.#xterm.terminal.cols;
    return bytes > this.#history.maxBytes >> 1 || rows > MAX_BACKLOG_ROWS;
  }

  #parse(end: number): void {
    // A listener sees the screen as it is at its event. Output that it writes is parsed later.
    this.#parseTarget = Math.max(this.#parseTarget, end);
    if (this.#isParsing) return;
    this.#isParsing = true;
    try {
      for (let from = -1; from < this.#parsedTo && this.#parsedTo < this.#parseTarget; ) {
        from = this.#parsedTo;
        this.#parseSteps(this.#parseTarget);
      }
    } finally {
      this.#isParsing = false;
      this.#lines.finishCutOffLine();
      this.#history.bytes.trim(this.#parsedTo);
    }
  }

  #parseSteps(end: number): void {
    const { stops } = this.#scanner;
    for (const { position, bytes } of this.#history.bytes.slices(this.#parsedTo, end)) {
      let nextStop = 0;
      for (let at = 0; at < bytes.length; ) {
        while (nextStop < stops.length && stops[nextStop]! <= position + at) nextStop++;
        const stop =
          nextStop < stops.length ? stops[nextStop]! - position : Number.POSITIVE_INFINITY;
        const lineFeed = bytes.indexOf(0x0a, at);
        const afterLine = lineFeed === -1 ? Number.POSITIVE_INFINITY : lineFeed + 1;
        const to = Math.min(bytes.length, stop, afterLine, at + STEP_BYTES);
        this.#step(bytes.subarray(at, to), position + to);
        if (to === afterLine) this.#parsedNewlines++;
        if (to === stop || to === afterLine) this.#lines.noteLineStart(bytes[to - 1] === 0x0a);
        if (to === stop) this.#onSequence(position + to);
        at = to;
      }
      while (nextStop < stops.length && stops[nextStop]! <= this.#parsedTo) nextStop++;
      stops.splice(0, nextStop);
    }
  }

  #step(bytes: Uint8Array, end: number): void {
    this.#parsedTo = end;
    this.#lines.position = end;
    this.#parseCharacters(bytes);
  }

  /** xterm 6.0.0 loses a character cut after a byte 0x80, for example "’", so none is cut. */
  #parseCharacters(bytes: Uint8Array): void {
    const whole =
      this.#partialCharacter.length > 0 ? Buffer.concat([this.#partialCharacter, bytes]) : bytes;
    const end = whole.length - unfinishedCharacterBytes(whole);
    if (end < whole.length || this.#partialCharacter.length > 0)
      this.#partialCharacter = Uint8Array.from(whole.subarray(end));
    this.#feed(replaceInvalidUtf8(whole.subarray(0, end)));
  }

  /** Whatever a program prints, and whatever is wrong in the emulator: the other sessions go on. */
  #feed(bytes: Uint8Array): void {
    const { _inputHandler } = this.#xterm.core;
    try {
      _inputHandler.parse(bytes);
    } catch {
      this.faults++;
      _inputHandler._parser.reset();
    }
  }

  /** Skips output that the screen, the history and the readers do not need. */
  #skipUpTo(end: number): void {
    const isShort = end - this.#parsedTo < this.#history.maxBytes * MIN_FLOOD_SHARE;
    if (isShort && this.#backlogLines < MIN_FLOOD_LINES) return;
    const from = this.#parseUntilSkippable(end);
    if (from === -1) return;
    const { rows } = this.#xterm.terminal;
    const { lastEscape } = this.#scanner;
    const stretch = findSkippableStretch(this.#history, { from, to: end, rows, lastEscape });
    if (stretch === undefined) return;
    this.#xterm.core._inputHandler.parse(stretch.colours);
    this.#parsedTo = stretch.to;
    this.#lines.position = stretch.to;
    const skipped = stretch.to - stretch.from;
    this.#lines.skip(stretch.lines, skipped);
    this.skippedBytes += skipped;
    this.#parsedNewlines += stretch.lines;
    this.#history.bytes.trim(this.#parsedTo);
  }

  /**
   * Parses the part that readers will see, and until the cursor is on the last row. Returns where
   * skipping can begin, or -1.
   */
  #parseUntilSkippable(end: number): number {
    const { bytes, headBytes, readers } = this.#history;
    const afterLines = (position: number, lines: number) =>
      bytes.afterNewline(bytes.newlinesBefore(position) + lines);
    let from = this.#parsedTo;
    const heads = [...readers].map(({ position }) => position + headBytes);
    const headEnd = Math.max(0, ...heads.filter((to) => to < end));
    if (headEnd > from) from = afterLines(headEnd, 1);
    // After as many lines as the screen has rows, the cursor is on the last row.
    if (from === this.#parsedTo && !this.#canSkip())
      from = afterLines(from, this.#xterm.terminal.rows);
    if (from === -1 || from >= end) return -1;
    this.#parse(from);
    return this.#canSkip() ? from : -1;
  }

  /** Whether a line has just ended, and the next line feed will only scroll by one line. */
  #canSkip(): boolean {
    const { core, terminal } = this.#xterm;
    if (this.#history.bytes.byteAt(this.#parsedTo - 1) !== 0x0a) return false;
    const { y, scrollTop, scrollBottom } = core.buffers.normal;
    const last = terminal.rows - 1;
    return (
      !isAlternateScreen(core) &&
      y === last &&
      scrollTop === 0 &&
      scrollBottom === last &&
      // Otherwise a backspace at the left edge goes up a row.
      !core.coreService.decPrivateModes.reverseWraparound &&
      core._inputHandler._parser.currentState === 0
    );
  }
}
