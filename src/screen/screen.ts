/**
 * The screen of a session: takes the output as it comes, and is at any moment what a person would
 * see. Here lines become text, marks and modes become events, and a program's questions to its
 * terminal are answered. It knows nothing of processes.
 *
 * Plain output is not parsed before somebody looks (feed.ts), so all that shows the screen catches
 * up first.
 */
import { InvalidSize } from '../errors.ts';
import { Feed } from './feed.ts';
import { History, type HistoryOptions } from './history/history.ts';
import type { HistoryLine } from './history/line-history.ts';
import type { LiveLine } from './lines/buffer-lines.ts';
import { LiveLines } from './lines/live-lines.ts';
import { type Announcement, onAnnouncements } from './sequences/announcements.ts';
import { keepErasedLines } from './sequences/erasing.ts';
import {
  isAlternate,
  type ModeSwitch,
  ModeSwitches,
  type Modes,
  readModes,
} from './sequences/modes.ts';
import { answerQueries } from './sequences/replies.ts';
import type { ModeName, ProgressReport, ScreenEvent } from './sequences/screen-events.ts';
import { type PlacedMark, ShellMarks } from './sequences/shell-marks.ts';
import { limitWork } from './sequences/work-limits.ts';
import { rowRuns } from './xterm/cells.ts';
import { dump } from './xterm/dump.ts';
import type { StyledRun } from './xterm/styled-runs.ts';
import { narrowAlternate, openXterm, restoreBehindLastColumn, type Xterm } from './xterm/xterm.ts';

export interface ScreenOptions {
  cols: number;
  rows: number;
  history?: HistoryOptions;
  /** Lines end in a bare LF: there is no terminal that would have put CR before it. @default false */
  bareLineFeeds?: boolean;
  /** Whose marks are those of the session's own shell. @default everybody's */
  aid?: string;
  /** Called at once with the answer to a question of the program, to be typed to it. */
  reply?: (answer: string) => void;
  onEvent?: (event: ScreenEvent) => void;
}

export interface ScreenLine extends HistoryLine {
  /** Still on the screen or just above it, and may change. */
  isLive: boolean;
  hasCursor: boolean;
}

export class Screen {
  readonly history: History;
  readonly #xterm: Xterm;
  readonly #lines: LiveLines;
  readonly #feed: Feed;
  readonly #switches: ModeSwitches;
  readonly #onEvent: (event: ScreenEvent) => void;
  #title = '';
  #cwd: string | undefined;
  #progress: ProgressReport = { state: 'none' };
  readonly #marks: ShellMarks;

  constructor({
    cols,
    rows,
    history = {},
    bareLineFeeds = false,
    aid,
    reply = () => {},
    onEvent = () => {},
  }: ScreenOptions) {
    assertSize(cols, rows);
    this.#marks = new ShellMarks(aid);
    this.history = new History(history);
    const xterm = openXterm(cols, rows, bareLineFeeds);
    this.#xterm = xterm;
    const lines = new LiveLines(xterm, this.history.lines);
    this.#lines = lines;
    this.#switches = new ModeSwitches(xterm);
    this.#onEvent = onEvent;
    this.#feed = new Feed({ xterm, history: this.history, lines }, (position) => {
      for (const change of this.#switches.observe(position)) {
        this.#onEvent({ type: 'mode', ...change, position });
      }
    });
    answerQueries(xterm.terminal, reply);
    onAnnouncements(xterm.terminal, (event) => this.#heard(event));
    // xterm asks the handler that came last first, and what is kept must not be limited away.
    limitWork(xterm);
    keepErasedLines(xterm, lines);
    restoreBehindLastColumn(xterm);
  }

  /** The number of bytes written so far: the position of the next one. */
  get position(): number {
    return this.#feed.position;
  }

  /** Bytes that were never parsed, because nothing of them could be seen any more. */
  get skippedBytes(): number {
    return this.#feed.skipped;
  }

  get modes(): Modes {
    return readModes(this.#xterm);
  }

  /** Where each mode was switched last. A mode that never was is absent. */
  get switches(): Readonly<Partial<Record<ModeName, ModeSwitch>>> {
    return this.#switches.last;
  }

  get title(): string {
    return this.#title;
  }

  /** As the shell told by OSC 7. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  get progress(): ProgressReport {
    return this.#progress;
  }

  /** The last mark of whichever shell, or of a program that pretends to be one. */
  get lastMark(): PlacedMark | undefined {
    return this.#marks.last;
  }

  /** The last mark of the session's own shell. */
  get ownMark(): PlacedMark | undefined {
    return this.#marks.own;
  }

  /** The session's own shell is gone, and another program is in its place. */
  forgetOwnShell(): void {
    this.#marks.forget();
  }

  /** Where the prompt begins at which the session's own shell is. */
  get ownPromptAt(): number | undefined {
    return this.#marks.ownPromptAt;
  }

  /** Both from 0. A cursor after the last column has not wrapped yet. */
  get cursor(): { col: number; row: number } {
    this.#feed.catchUp();
    const { x, y } = this.#xterm.core.buffers.active;
    return { col: x, row: y };
  }

  /** What stands before the cursor, on its row and on those that wrap onto it. */
  get textBeforeCursor(): string {
    this.#feed.catchUp();
    const { lines, x, y, ybase } = this.#xterm.core.buffers.active;
    let index = ybase + y;
    let text = lines.get(index)!.translateToString(false, 0, x);
    while (index > 0 && lines.get(index)!.isWrapped) {
      text = lines.get(--index)!.translateToString(false) + text;
    }
    return text;
  }

  write(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    this.#feed.write(bytes);
  }

  resize(cols: number, rows: number): void {
    assertSize(cols, rows);
    this.#feed.catchUp();
    this.#lines.resize(cols, rows);
    narrowAlternate(this.#xterm);
    for (const reader of this.history.readers) reader.onResize?.();
  }

  /** The text of a row of the screen, without the blanks at its end. */
  rowText(row: number): string {
    this.#feed.catchUp();
    const { lines, ybase } = this.#xterm.core.buffers.active;
    const text = lines.get(ybase + row)?.translateToString(true) ?? '';
    return text.replace(/ +$/, '');
  }

  rowRuns(row: number): StyledRun[] {
    this.#feed.catchUp();
    return rowRuns(this.#xterm, row);
  }

  /** The line that the cursor is on; none while all from there on is blank. */
  get cursorLine(): LiveLine | undefined {
    this.#feed.catchUp();
    return this.#lines.buffer.cursorLine();
  }

  /** Every line kept, from a number on. */
  *lines(from = 0): Generator<ScreenLine> {
    this.#feed.catchUp();
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
   * The number of the line kept that holds a position: the last one that began at or before it. A
   * program that moves its cursor about begins lines in any order, and several at once: none that
   * began later stands above this one.
   */
  lineAt(position: number): number {
    this.#feed.catchUp();
    const { end } = this.history.lines;
    let { found, began: latest, isOver } = this.history.lines.search(position);
    if (isOver) return found ?? end;
    for (const { line, position: began } of this.lines(end)) {
      if (began > position) return found ?? line;
      if (began <= latest) continue;
      found = line;
      latest = began;
    }
    return found ?? end;
  }

  /** The number of the first line that is on the screen, or wraps onto it. */
  get firstLineOnScreen(): number {
    this.#feed.catchUp();
    return this.history.lines.end + this.#lines.buffer.above;
  }

  /** The number of the first line that may still change. */
  get firstLiveLine(): number {
    this.#feed.catchUp();
    return this.history.lines.end;
  }

  /** Remembers which place on the screen this position is, for views that leave out a span. */
  anchor(): number {
    this.#feed.catchUp();
    this.#anchor(this.position);
    return this.position;
  }

  /** The line and the index in its text at which an anchored position lies. */
  placeOf(position: number): { id: number; index: number } | undefined {
    this.#feed.catchUp();
    const place = this.#lines.anchors.get(position);
    if (place?.index !== undefined) return { id: place.id, index: place.index };
    return place && this.#lines.buffer.locate(place);
  }

  /** Bytes that make a new terminal of the same size show the same screen, in the same modes. */
  dump(): string {
    this.#feed.catchUp();
    return dump(this.#xterm, this.#title);
  }

  /** What must follow a dump before what is written next: the start of a sequence, say. */
  get unparsed(): Uint8Array {
    this.#feed.catchUp();
    return this.#feed.unparsed;
  }

  dispose(): void {
    this.#xterm.terminal.dispose();
  }

  #heard(event: Announcement): void {
    const { position } = this.#lines;
    if (event.type === 'title') this.#title = event.title;
    if (event.type === 'cwd') this.#cwd = event.cwd;
    if (event.type === 'progress') {
      const { type: _, ...progress } = event;
      this.#progress = progress;
    }
    if (event.type === 'mark') {
      const { type: _, ...mark } = event;
      this.#marks.note({ ...mark, position });
      this.#anchor(position);
    }
    this.#onEvent({ ...event, position } as ScreenEvent);
  }

  #anchor(position: number): void {
    if (isAlternate(this.#xterm.core)) return;
    this.#lines.anchors.add(position, this.#lines.buffer.cursorPlace());
  }
}

/** A cell takes 12 bytes, and the rows above the screen are as wide: this much is 12 MB and more. */
const MAX_CELLS = 1_000_000;

function assertSize(cols: number, rows: number): void {
  const isSize = (count: number) => Number.isInteger(count) && count >= 1 && count <= 65535;
  if (!isSize(cols) || !isSize(rows) || cols * rows > MAX_CELLS) throw new InvalidSize(cols, rows);
}
