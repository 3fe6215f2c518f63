/**
 * The screen of a session: takes the output as it comes, and is at any moment what a person would
 * see. Here lines become text, marks and modes become events, and a program's questions to its
 * terminal are answered. It knows nothing of processes.
 *
 * Plain output is not parsed before somebody looks (feed.ts), so all that shows the screen catches
 * up first.
 */
import { InvalidSize } from '../errors.ts';
import { type Run, rowRuns } from './cells.ts';
import { dump } from './dump.ts';
import {
  type ModeName,
  type Progress,
  parseCwd,
  parseProgress,
  parseShellMark,
  type ScreenEvent,
  type ShellMark,
} from './events.ts';
import { Feed } from './feed.ts';
import { History, type HistoryOptions } from './history.ts';
import type { KeptLine } from './kept-lines.ts';
import { limitWork } from './limits.ts';
import { LiveLines } from './live-lines.ts';
import { isAlternate, ModeSwitches, type Modes, readModes, type Switch } from './modes.ts';
import { answerQuestions } from './replies.ts';
import { narrowAlternate, openXterm, type Xterm } from './xterm.ts';

export interface ScreenOptions {
  cols: number;
  rows: number;
  history?: HistoryOptions;
  /** Called at once with the answer to a question of the program, to be typed to it. */
  reply?: (answer: string) => void;
  onEvent?: (event: ScreenEvent) => void;
}

export interface ScreenLine extends KeptLine {
  /** Still on the screen or just above it, and may change. */
  isLive: boolean;
  hasCursor: boolean;
}

/** Programs print what they like as a title. */
const MAX_TITLE = 1000;

export class Screen {
  readonly history: History;
  readonly #xterm: Xterm;
  readonly #lines: LiveLines;
  readonly #feed: Feed;
  readonly #switches: ModeSwitches;
  readonly #onEvent: (event: ScreenEvent) => void;
  #changes = 0;
  #title = '';
  #cwd: string | undefined;
  #progress: Progress = { state: 'none' };
  #mark: (ShellMark & { position: number }) | undefined;

  constructor({ cols, rows, history = {}, reply = () => {}, onEvent = () => {} }: ScreenOptions) {
    assertSize(cols, rows);
    this.history = new History(history);
    const xterm = openXterm(cols, rows);
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
    answerQuestions(xterm.terminal, reply);
    this.#listen();
    this.#keepWhatIsErased();
    limitWork(xterm);
  }

  /** The number of bytes written so far: the position of the next one. */
  get position(): number {
    return this.#feed.position;
  }

  /** Grows with every change of what is shown, or that may be one. */
  get changes(): number {
    return this.#changes;
  }

  /** Bytes that were never parsed, because nothing of them could be seen any more. */
  get skippedBytes(): number {
    return this.#feed.skipped;
  }

  get modes(): Modes {
    return readModes(this.#xterm);
  }

  /** Where each mode was switched last. A mode that never was is absent. */
  get switches(): Readonly<Partial<Record<ModeName, Switch>>> {
    return this.#switches.last;
  }

  get title(): string {
    return this.#title;
  }

  /** As the shell told by OSC 7. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  get progress(): Progress {
    return this.#progress;
  }

  get lastMark(): (ShellMark & { position: number }) | undefined {
    return this.#mark;
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
    this.#changes++;
    this.#feed.write(bytes);
  }

  resize(cols: number, rows: number): void {
    assertSize(cols, rows);
    this.#changes++;
    this.#feed.catchUp();
    this.#lines.resize(cols, rows);
    narrowAlternate(this.#xterm);
  }

  /** The text of a row of the screen, without the blanks at its end. */
  rowText(row: number): string {
    this.#feed.catchUp();
    const { lines, ybase } = this.#xterm.core.buffers.active;
    return (
      lines
        .get(ybase + row)
        ?.translateToString(true)
        .replace(/ +$/, '') ?? ''
    );
  }

  rowRuns(row: number): Run[] {
    this.#feed.catchUp();
    return rowRuns(this.#xterm, row);
  }

  /** Every line kept, from a number on. */
  *lines(from = 0): Generator<ScreenLine> {
    this.#feed.catchUp();
    for (const line of this.history.lines.from(from)) {
      yield { ...line, isLive: false, hasCursor: false };
    }
    const { end, lostAtEnd } = this.history.lines;
    let line = end;
    for (const live of this.#lines.lines()) {
      const isAfterGap = line === end && lostAtEnd.lines > 0;
      if (line >= from)
        yield { ...live, line, isLive: true, ...(isAfterGap && { lost: lostAtEnd }) };
      line++;
    }
  }

  /** The number of the last line kept that began at or before a position. */
  lineAt(position: number): number {
    this.#feed.catchUp();
    let found = this.history.lines.at(position);
    for (const { line, position: began, isLive } of this.lines(this.history.lines.end)) {
      if (isLive && began <= position) found = line;
    }
    return found;
  }

  /** The number of the first line that may still change. */
  get firstLiveLine(): number {
    this.#feed.catchUp();
    return this.history.lines.end;
  }

  /** Remembers which place on the screen this position is, for views that leave out a span. */
  anchor(): number {
    this.#feed.catchUp();
    if (!isAlternate(this.#xterm.core)) {
      this.#lines.anchors.add(this.position, this.#lines.cursorPlace());
    }
    return this.position;
  }

  /** The line and the index in its text at which an anchored position lies. */
  placeOf(position: number): { id: number; index: number } | undefined {
    this.#feed.catchUp();
    const place = this.#lines.anchors.get(position);
    const index = place?.index ?? (place && this.#lines.indexOf(place));
    return place && index !== undefined ? { id: place.id, index } : undefined;
  }

  /** Bytes that make a new terminal of the same size show the same screen, in the same modes. */
  dump(): string {
    this.#feed.catchUp();
    return dump(this.#xterm, this.#title);
  }

  dispose(): void {
    this.#xterm.terminal.dispose();
  }

  #listen(): void {
    const { terminal } = this.#xterm;
    const { parser } = terminal;
    const tell = (event: Announcement) =>
      this.#onEvent({ ...event, position: this.#lines.position } as ScreenEvent);
    const onOsc = (code: number, heard: (data: string) => void) =>
      parser.registerOscHandler(code, (data) => {
        heard(data);
        return true;
      });
    for (const code of [133, 633]) {
      onOsc(code, (data) => {
        const mark = parseShellMark(data);
        if (mark === undefined) return;
        this.#mark = { ...mark, position: this.#lines.position };
        if (!isAlternate(this.#xterm.core)) {
          this.#lines.anchors.add(this.#lines.position, this.#lines.cursorPlace());
        }
        tell({ type: 'mark', ...mark });
      });
    }
    onOsc(7, (data) => {
      const cwd = parseCwd(data);
      if (cwd === undefined || cwd === this.#cwd) return;
      this.#cwd = cwd;
      tell({ type: 'cwd', cwd });
    });
    onOsc(9, (data) => {
      const progress = parseProgress(data);
      if (progress === undefined) return;
      this.#progress = progress;
      tell({ type: 'progress', ...progress });
    });
    terminal.onTitleChange((title) => {
      this.#title = title.slice(0, MAX_TITLE);
      tell({ type: 'title', title: this.#title });
    });
    terminal.onBell(() => tell({ type: 'bell' }));
  }

  /** A program that clears its screen does not unsay what it said. */
  #keepWhatIsErased(): void {
    const { terminal, core } = this.#xterm;
    const { parser } = terminal;
    parser.registerCsiHandler({ final: 'J' }, (params) => {
      if (isAlternate(core)) return false;
      if (params[0] === 2) this.#lines.scrollAway();
      if (params[0] === 3) this.#lines.retireScrollback();
      return false;
    });
    // xterm deletes these lines; on other terminals they go where a line feed would send them.
    parser.registerCsiHandler({ final: 'S' }, (params) => {
      if (isAlternate(core) || core.buffers.normal.scrollTop !== 0) return false;
      this.#lines.scroll(Number(params[0]) || 1);
      return true;
    });
    parser.registerEscHandler({ final: 'c' }, () => {
      this.#lines.retireAll();
      return false;
    });
  }
}

type WithoutPosition<Event> = Event extends unknown ? Omit<Event, 'position'> : never;
type Announcement = WithoutPosition<ScreenEvent>;

function assertSize(cols: number, rows: number): void {
  const isSize = (count: number) => Number.isInteger(count) && count >= 1 && count <= 65535;
  if (!isSize(cols) || !isSize(rows)) throw new InvalidSize(cols, rows);
}
