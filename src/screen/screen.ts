/**
 * The screen of a session: takes the output of the program, and shows at any moment what a person
 * would see. It turns lines into text and marks and modes into events, and it answers the program's
 * queries to its terminal. It knows nothing about processes.
 *
 * Plain output is parsed only when it is needed (output-parser.ts), so everything that reads the screen
 * catches up first.
 */

import type { StoredPages } from '../keeper/stored-pages.ts';
import type { HistoryLine } from './history/line-history.ts';
import { type HistoryOptions, OutputHistory } from './history/output-history.ts';
import type { LiveLine } from './lines/buffer-lines.ts';
import { MAX_PIECE_CELLS } from './lines/line-pieces.ts';
import { LiveLines } from './lines/live-lines.ts';
import { OutputParser } from './output-parser.ts';
import {
  type Announced,
  restoreScreenParts,
  type ScreenParts,
  snapshotScreenParts,
} from './restore-screen.ts';
import { ScreenGrid } from './screen-grid.ts';
import { assertScreenSize } from './screen-size.ts';
import type { BlankScreenSnapshot, ScreenSnapshot } from './screen-snapshot.ts';
import { affordableBytes, workRates } from './sequences/affordable-bytes.ts';
import { onProgramAnnouncements, type ProgramAnnouncement } from './sequences/announcements.ts';
import { keepErasedLines } from './sequences/erasing.ts';
import { LastShellMarks } from './sequences/last-shell-marks.ts';
import {
  isAlternateScreen,
  type ModeSwitch,
  ModeSwitches,
  readScreenModes,
  type ScreenModes,
} from './sequences/modes.ts';
import { answerTerminalQueries } from './sequences/replies.ts';
import {
  type ModeName,
  type ProgressReport,
  parseTypedMark,
  type ScreenEvent,
  type TypedMark,
} from './sequences/screen-events.ts';
import { limitSequenceWork } from './sequences/work-limits.ts';
import { dumpScreen } from './xterm/dump.ts';
import { type PrintingState, readPrinting, setPrinting } from './xterm/printing-state.ts';
import { type HidingSigns, RowReader } from './xterm/row-reader.ts';
import {
  mendEraseAbove,
  narrowAlternateRows,
  openXterm,
  restoreCursorAfterLastColumn,
  type Xterm,
} from './xterm/xterm.ts';

export interface ScreenOptions {
  cols: number;
  rows: number;
  history?: HistoryOptions;
  /** Lines end in a bare LF, because no terminal has added a CR. @default false */
  bareLineFeeds?: boolean;
  /** How text is printed at first. @default as in any new terminal */
  printing?: PrintingState;
  /** The `aid` in the marks of the session's own shell. @default no mark is its own */
  aid?: string;
  /** The key of the mark with which the program ends, if it is known beforehand. */
  finalMarkKey?: string;
  /** Called at once with the answer to a query of the program. Write it to the program's input. */
  reply?: (answer: string) => void;
  onEvent?: (event: ScreenEvent) => void;
}

export interface ScreenLine extends HistoryLine {
  /** It is in the buffer, on the screen or just above it, and may still change. */
  isLive: boolean;
  hasCursor: boolean;
}

/** Output is taken in slices of this size, so that one huge write cannot outgrow the history. */
const SLICE_BYTES = 64 * 1024;

export class Screen {
  readonly history: OutputHistory;
  /** The rows that a person sees now. */
  readonly grid: ScreenGrid;
  readonly #xterm: Xterm;
  readonly #lines: LiveLines;
  readonly #parser: OutputParser;
  readonly #rowReader = new RowReader();
  readonly #switches: ModeSwitches;
  readonly #onEvent: (event: ScreenEvent) => void;
  readonly #announced: Announced = { title: '', cwd: undefined, progress: { state: 'none' } };
  /** The last marks of shells; its own shell's are kept apart. */
  readonly marks: LastShellMarks;
  readonly #bareLineFeeds: boolean;

  /** A screen that goes on where another one stopped, in this process or in another. */
  static restore(
    snapshot: ScreenSnapshot | BlankScreenSnapshot,
    options: Pick<ScreenOptions, 'aid' | 'reply' | 'onEvent'>,
    pages?: StoredPages,
  ): Screen {
    if (!('xterm' in snapshot)) return new Screen({ ...options, ...snapshot });
    const { bareLineFeeds, history } = snapshot;
    const { cols, rows } = snapshot.xterm;
    const screen = new Screen({ ...options, cols, rows, history, bareLineFeeds });
    restoreScreenParts(screen.#parts, snapshot, pages);
    return screen;
  }

  constructor({
    cols,
    rows,
    history = {},
    bareLineFeeds = false,
    printing,
    aid,
    finalMarkKey,
    reply = () => {},
    onEvent = () => {},
  }: ScreenOptions) {
    assertScreenSize(cols, rows);
    this.marks = new LastShellMarks(aid);
    this.#bareLineFeeds = bareLineFeeds;
    this.history = new OutputHistory(history);
    const xterm = openXterm(cols, rows, bareLineFeeds);
    this.#xterm = xterm;
    const lines = new LiveLines(xterm, this.history.lines, this.#rowReader);
    this.#lines = lines;
    this.#switches = new ModeSwitches(xterm);
    this.#onEvent = onEvent;
    const { signs } = this.#rowReader;
    const parts = {
      xterm,
      history: this.history,
      lines,
      signs,
      ...(finalMarkKey !== undefined && { finalMarkKey }),
    };
    this.#parser = new OutputParser(parts, (position) => {
      for (const change of this.#switches.observe(position)) {
        this.#onEvent({ type: 'mode', ...change, position });
      }
    });
    this.grid = new ScreenGrid(xterm, this.#rowReader, () => this.#parser.catchUp());
    answerTerminalQueries(xterm.terminal, reply);
    onProgramAnnouncements(xterm.terminal, (event) => this.#onAnnouncement(event));
    // xterm calls the newest handler first, and lines must be kept before limitSequenceWork takes a
    // sequence.
    limitSequenceWork(xterm);
    mendEraseAbove(xterm);
    keepErasedLines(xterm, lines);
    restoreCursorAfterLastColumn(xterm);
    if (printing !== undefined) {
      setPrinting(xterm, printing);
      // No output of this screen has shown whether that style conceals.
      signs.conceals = true;
    }
  }

  /** The number of bytes written so far: the position of the next one. */
  get position(): number {
    return this.#parser.position;
  }

  /** Bytes that were never parsed, because nobody could see them any more. */
  get skippedBytes(): number {
    return this.#parser.skippedBytes;
  }

  /** How often the emulator has failed. Some of the output at that point is not shown. */
  get faults(): number {
    return this.#parser.faults;
  }

  get modes(): ScreenModes {
    return readScreenModes(this.#xterm);
  }

  /** The last switch of each mode. A mode that was never switched is absent. */
  get switches(): Readonly<Partial<Record<ModeName, ModeSwitch>>> {
    return this.#switches.last;
  }

  /** The mark with which the program has ended, if its event is still to come: nobody has looked since. */
  get finalMark(): TypedMark | undefined {
    const { finalMark } = this.#parser;
    return finalMark && parseTypedMark(finalMark.text);
  }

  get title(): string {
    return this.#announced.title;
  }

  /** From OSC 7. */
  get cwd(): string | undefined {
    return this.#announced.cwd;
  }

  get progress(): ProgressReport {
    return this.#announced.progress;
  }

  /** Both from 0. `col` can be after the last column: then the next character wraps. */
  get cursor(): { col: number; row: number } {
    this.#parser.catchUp();
    const { x, y } = this.#xterm.core.buffers.active;
    return { col: x, row: y };
  }

  /**
   * The text before the cursor, on its row and on the rows that wrap onto it: not more of them than a
   * line is long. Often asked for, and a screen may be one line of a million cells.
   */
  get textBeforeCursor(): string {
    this.#parser.catchUp();
    const { lines, x, y, ybase } = this.#xterm.core.buffers.active;
    let index = ybase + y;
    let text = this.#rowReader.text(lines.get(index)!, 0, x);
    for (let cells = x; index > 0 && lines.get(index)!.isWrapped && cells < MAX_PIECE_CELLS; ) {
      const above = lines.get(--index)!;
      text = this.#rowReader.text(above, 0, above.length) + text;
      cells += above.length;
    }
    return text;
  }

  write(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += SLICE_BYTES)
      this.#parser.write(bytes.subarray(at, at + SLICE_BYTES));
  }

  /** How much of some output can be written at once, in bytes, before others have their turn. */
  affordable(bytes: Buffer): number {
    return affordableBytes(bytes, workRates(this.#xterm));
  }

  /** Parses what was left for later. Nothing is skipped if this is called after each piece of output. */
  catchUp(): void {
    this.#parser.catchUp();
  }

  resize(cols: number, rows: number): void {
    assertScreenSize(cols, rows);
    this.#parser.catchUp();
    this.#lines.resize(cols, rows);
    narrowAlternateRows(this.#xterm);
    for (const reader of this.history.readers) reader.onResize?.();
  }

  /** Whether a line may leave something out because a person cannot see it. */
  get mayHide(): boolean {
    this.#parser.catchUp();
    return !this.#rowReader.isPlain;
  }

  /** What the output has had that can hide text. It is noted before output is parsed. */
  get hidingSigns(): Readonly<HidingSigns> {
    return this.#rowReader.signs;
  }

  /** How text is printed from here on. */
  get printing(): PrintingState {
    this.#parser.catchUp();
    return readPrinting(this.#xterm);
  }

  /** The line with the cursor. Undefined if everything from there on is blank. */
  get cursorLine(): LiveLine | undefined {
    this.#parser.catchUp();
    return this.#lines.buffer.cursorLine();
  }

  /** The lines in xterm's buffer that begin at this position. */
  liveLinesAt(position: number): Generator<LiveLine> {
    this.#parser.catchUp();
    return this.#lines.buffer.linesAt(position);
  }

  /** All kept lines from this number on. */
  *lines(from = 0): Generator<ScreenLine> {
    this.#parser.catchUp();
    for (const line of this.history.lines.from(from)) {
      yield { ...line, isLive: false, hasCursor: false };
    }
    const { end, lostAtEnd } = this.history.lines;
    let line = Math.max(from, end);
    for (const live of this.#lines.buffer.lines(line - end)) {
      const isAfterGap = line === end && lostAtEnd.lines > 0;
      const shown = { line, ...live, isLive: true };
      yield isAfterGap ? { ...shown, lost: lostAtEnd } : shown;
      line++;
    }
  }

  /**
   * The number of the kept line that holds a position: the last one that began at or before it. A
   * program that moves its cursor begins lines in any order, and several at once. No line that
   * began later is above this one.
   */
  lineAt(position: number): number {
    this.#parser.catchUp();
    const { end } = this.history.lines;
    let { found, latest, isOver } = this.history.lines.search(position);
    if (isOver) return found ?? end;
    for (const { line, position: began } of this.lines(end)) {
      if (began > position) return found ?? line;
      if (began <= latest) continue;
      found = line;
      latest = began;
    }
    return found ?? end;
  }

  /** The number of the first line on the screen. It may begin above the screen and wrap onto it. */
  get firstLineOnScreen(): number {
    this.#parser.catchUp();
    return this.history.lines.end + this.#lines.buffer.countAboveScreen;
  }

  /** The number of the first line that may still change. */
  get firstLiveLine(): number {
    this.#parser.catchUp();
    return this.history.lines.end;
  }

  /** Records where on the screen the current position is, for views that hide a span. */
  anchor(): number {
    this.#parser.catchUp();
    this.#anchor(this.position);
    return this.position;
  }

  /** The line, and the index in its text, of an anchored position. */
  locate(position: number): { id: number; index: number } | undefined {
    this.#parser.catchUp();
    const anchor = this.#lines.anchors.get(position);
    if (anchor?.index !== undefined) return { id: anchor.id, index: anchor.index };
    return anchor && this.#lines.buffer.locate(anchor);
  }

  /** With `pages`, what does not change any more is stored there. */
  snapshot(pages?: StoredPages): ScreenSnapshot {
    this.#parser.parseFinalMark();
    return snapshotScreenParts(this.#parts, pages);
  }

  /** The same if nothing was written yet. Undefined otherwise. */
  blankSnapshot(): BlankScreenSnapshot | undefined {
    if (this.position > 0) return undefined;
    const { cols, rows } = this.#xterm.terminal;
    const { maxBytes, maxLines, headBytes } = this.history;
    const bareLineFeeds = this.#bareLineFeeds;
    return { cols, rows, bareLineFeeds, history: { maxBytes, maxLines, headBytes } };
  }

  get #parts(): ScreenParts {
    return {
      bareLineFeeds: this.#bareLineFeeds,
      announced: this.#announced,
      marks: this.marks,
      switches: this.#switches,
      xterm: this.#xterm,
      history: this.history,
      lines: this.#lines,
      parser: this.#parser,
    };
  }

  /** Bytes that make a new terminal of the same size show the same screen in the same modes. */
  dump(): string {
    this.#parser.catchUp();
    return dumpScreen(this.#xterm, this.#announced.title);
  }

  /** Bytes to send after a dump, before later output: for example the start of a sequence. */
  get unparsed(): Uint8Array {
    this.#parser.catchUp();
    return this.#parser.unparsed;
  }

  dispose(): void {
    this.#xterm.terminal.dispose();
  }

  #onAnnouncement(event: ProgramAnnouncement): void {
    const { position } = this.#lines;
    if (event.type === 'title') this.#announced.title = event.title;
    if (event.type === 'cwd') this.#announced.cwd = event.cwd;
    if (event.type === 'progress') {
      const { type: _, ...progress } = event;
      this.#announced.progress = progress;
    }
    if (event.type === 'typed-mark') this.#anchor(position);
    if (event.type === 'mark') {
      const { type: _, ...mark } = event;
      this.marks.add({ ...mark, position });
      this.#anchor(position);
    }
    if (event.type === 'typed-mark' && event.typed === 'sign') {
      this.marks.noteSign(position);
      this.#anchor(position);
    }
    this.#onEvent({ ...event, position } as ScreenEvent);
  }

  #anchor(position: number): void {
    if (isAlternateScreen(this.#xterm.core)) return;
    this.#lines.anchors.add(position, this.#lines.buffer.cursorAnchor());
  }
}
