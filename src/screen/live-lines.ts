/**
 * The lines that can still change: those in xterm's buffer, on the screen and just above it.
 *
 * A line is made of rows: the first, and the rows it wraps onto. When a row is about to leave the
 * buffer it goes to the history as text. Every line has an id, which stays with its first row
 * wherever that moves, so a reader can tell a line that changed from one that moved.
 * Only the normal screen has lines: what is drawn on the alternate screen scrolls nowhere.
 */
import { Anchors, type Place } from './anchors.ts';
import type { KeptLines } from './kept-lines.ts';
import { type LineNote, LineNotes } from './line-notes.ts';
import { cursorRow, flat, lastRow, rowAt, textOf, withoutTrailingBlanks } from './rows.ts';
import { type Grid, SCROLLBACK_ROWS, type Xterm } from './xterm.ts';

export interface LiveLine {
  id: number;
  position: number;
  text: string;
  hasCursor: boolean;
}

/** A line longer than this is cut into several, so that output without line feeds stays bounded. */
const MAX_LINE = 64 * 1024;

export class LiveLines {
  readonly anchors = new Anchors();
  readonly #xterm: Xterm;
  readonly #finished: KeptLines;
  readonly #notes = new LineNotes();
  /** How far the output is parsed; while it is being parsed, how far it will be. */
  position = 0;
  /** Where the step that is being parsed began. */
  #lastCut = 0;
  /** Where the last line that went to the history had begun. */
  #lastFinished = 0;
  /** The part of the first line that has left the buffer already. */
  #begun: { note: LineNote; text: string; cells: number } | undefined;

  constructor(xterm: Xterm, finished: KeptLines) {
    this.#xterm = xterm;
    this.#finished = finished;
    this.#notes.begin(rowAt(this.#grid, 0), this.position);
    this.#watchScrolling();
  }

  get #grid(): Grid {
    return this.#xterm.core.buffers.normal;
  }

  /** Called after each line feed, and after each sequence that is parsed by itself. */
  cut(isLineFeed: boolean): void {
    const grid = this.#grid;
    if (this.#xterm.core.buffers.active === grid) {
      const row = rowAt(grid, cursorRow(grid));
      const note = this.#notes.get(row);
      if (note === undefined && !row.isWrapped) this.#notes.begin(row, this.#lastCut);
      // A line feed onto an empty row begins a line, also where an older one was erased.
      if (isLineFeed && note?.position !== this.position && row.getTrimmedLength() === 0) {
        this.#notes.begin(row, this.position);
      }
    }
    this.#lastCut = this.position;
  }

  /** How many lines lie above the screen as a whole: no program can reach them. */
  get above(): number {
    const { ybase } = this.#grid;
    let count = 0;
    for (let index = 0; index < ybase; ) {
      const { note, next } = this.#lineAt(index);
      if (next <= ybase && note.void === undefined) count++;
      index = next;
    }
    return count;
  }

  /**
   * Every line from the oldest in the buffer to the cursor, or to the last that is not blank; the
   * first ones can be left out.
   */
  *lines(skipped = 0): Generator<LiveLine> {
    const grid = this.#grid;
    const end = this.#end();
    const cursor = cursorRow(grid);
    let left = skipped;
    for (let index = 0; index < end; ) {
      const { note, begun, next } = this.#lineAt(index);
      if (note.void === undefined && left-- <= 0) {
        const text = withoutTrailingBlanks((begun?.text ?? '') + textOf(grid, index, next));
        const hasCursor = cursor >= index && cursor < next;
        yield { id: note.id, position: note.position, text, hasCursor };
      }
      index = next;
    }
  }

  /** The line that the cursor is on; none while all from there on is blank. */
  cursorLine(): LiveLine | undefined {
    const grid = this.#grid;
    let first = cursorRow(grid);
    if (first >= this.#end()) return undefined;
    while (first > 0 && rowAt(grid, first).isWrapped) first--;
    const { note, begun, next } = this.#lineAt(first);
    if (note.void) return undefined;
    const text = withoutTrailingBlanks((begun?.text ?? '') + textOf(grid, first, next));
    return { id: note.id, position: note.position, text, hasCursor: true };
  }

  /** Where the output stands now. */
  cursorPlace(): Place {
    const grid = this.#grid;
    let index = cursorRow(grid);
    let cell = grid.x;
    while (index > 0 && rowAt(grid, index).isWrapped) cell += rowAt(grid, --index).length;
    const { note, begun } = this.#lineAt(index);
    return { id: note.id, cell: cell + (begun?.cells ?? 0) };
  }

  /** The index of a place in its line's text, if the line is still in the buffer. */
  indexOf({ id, cell }: Place): number | undefined {
    const grid = this.#grid;
    const line = this.#find(id);
    if (line === undefined) return undefined;
    const { first, next, begun } = line;
    let left = cell - (begun?.cells ?? 0);
    let before = begun?.text.length ?? 0;
    for (let index = first; index < next && left > 0; index++) {
      const { length } = rowAt(grid, index);
      before += textOf(grid, index, index + 1, Math.min(left, length)).length;
      left -= length;
    }
    return before;
  }

  /** Sends the rows above the screen to the history: the program is about to erase them. */
  retireScrollback(): void {
    this.#retire(this.#grid.ybase);
  }

  /** Sends every line to the history: the program is about to reset the terminal. */
  retireAll(): void {
    this.#retire(this.#end());
    this.#begun = undefined;
  }

  /**
   * Scrolls the screen's lines away, as a person's terminal may when it is cleared: they were shown,
   * so they stay readable, and what is drawn next is not taken for a change of theirs.
   */
  scrollAway(): void {
    const grid = this.#grid;
    const { scrollTop, scrollBottom } = grid;
    grid.scrollTop = 0;
    grid.scrollBottom = this.#xterm.terminal.rows - 1;
    this.scroll(lastRow(grid) - grid.ybase + 1);
    grid.scrollTop = scrollTop;
    grid.scrollBottom = scrollBottom;
  }

  scroll(count: number): void {
    const { _bufferService, _inputHandler } = this.#xterm.core;
    for (let left = count; left > 0; left--) _bufferService.scroll(_inputHandler._eraseAttrData());
  }

  /**
   * Takes `count` lines as seen, of which nothing is known but that they scrolled by, and goes on at
   * the start of the last row. Exact once a screen and a scrollback of further lines have followed.
   */
  skip(count: number, bytes: number): void {
    const grid = this.#grid;
    const { rows } = this.#xterm.terminal;
    this.#retire(cursorRow(grid));
    this.#begun = undefined;
    this.#finished.skip(count, bytes);
    grid.lines.trimStart(grid.ybase);
    grid.ybase = 0;
    grid.ydisp = 0;
    for (let y = 0; y < rows; y++) {
      const row = grid.getBlankLine(this.#xterm.core._inputHandler._eraseAttrData());
      this.#notes.skip(row);
      grid.lines.set(y, row);
    }
    grid.x = 0;
    grid.y = rows - 1;
    this.#lastCut = this.position;
    this.#notes.begin(rowAt(grid, rows - 1), this.position);
  }

  resize(cols: number, rows: number): void {
    const { terminal } = this.#xterm;
    const grid = this.#grid;
    const place = this.cursorPlace();
    // xterm drops rows below the cursor to make room, whether they are blank or not.
    grid.y = Math.max(cursorRow(grid), lastRow(grid)) - grid.ybase;
    // Narrower rows are more rows. xterm would drop the oldest, so it gets room for all of them.
    const mostRows = grid.lines.length * Math.ceil(terminal.cols / cols) + rows + terminal.rows;
    terminal.options.scrollback = 2 * mostRows;
    terminal.resize(cols, rows);
    this.#retire(Math.max(0, grid.lines.length - rows - SCROLLBACK_ROWS));
    terminal.options.scrollback = SCROLLBACK_ROWS;
    this.#placeCursor(place);
  }

  /** xterm moves the rows of a line that holds the cursor, and leaves the cursor where it was. */
  #placeCursor({ id, cell }: Place): void {
    const grid = this.#grid;
    const { cols, rows } = this.#xterm.terminal;
    const line = this.#find(id);
    if (line === undefined) return;
    const { first, next, begun } = line;
    const inLine = Math.max(0, cell - (begun?.cells ?? 0));
    // Behind a last row that is full, the cursor stays on it until something is printed.
    const isBehind = inLine === (next - first) * cols;
    const row = first + Math.floor(inLine / cols) - Number(isBehind);
    if (row >= next || row >= grid.ybase + rows) return;
    grid.y = Math.max(0, row - grid.ybase);
    grid.x = isBehind ? cols : inLine % cols;
  }

  /** Sees each row before xterm forgets it, and each row that begins. */
  #watchScrolling(): void {
    const { core } = this.#xterm;
    const scroll = core._bufferService.scroll.bind(core._bufferService);
    core._bufferService.scroll = (attributes, isWrapped = false) => {
      const grid = this.#grid;
      const isOurs = core.buffers.active === grid;
      if (isOurs && grid.scrollTop === 0 && grid.lines.isFull) this.#retireRow(0);
      scroll(attributes, isWrapped);
      if (!isOurs) return;
      const row = rowAt(grid, grid.ybase + grid.scrollBottom);
      if (isWrapped) this.#notes.delete(row);
      else this.#notes.begin(row, this.position);
    };
  }

  /** The first rows go to the history. The caller drops them, or has xterm drop them. */
  #retire(count: number): void {
    for (let index = 0; index < count; index++) this.#retireRow(index);
  }

  #retireRow(index: number): void {
    const grid = this.#grid;
    const begun = rowAt(grid, index).isWrapped ? this.#begun : undefined;
    const note = begun?.note ?? this.#noteOf(index);
    if (note.void) return;
    const cells = begun?.cells ?? 0;
    const { length } = rowAt(grid, index);
    const text = (begun?.text ?? '') + textOf(grid, index, index + 1);
    for (const place of this.anchors.unresolved(note.id)) {
      const col = place.cell - cells;
      if (place.index !== undefined || col > length) continue;
      place.index = (begun?.text.length ?? 0) + textOf(grid, index, index + 1, col).length;
    }
    const goesOn = grid.lines.get(index + 1)?.isWrapped === true;
    if (goesOn && text.length < MAX_LINE) {
      this.#begun = { note, text, cells: cells + length };
      return;
    }
    this.#begun = undefined;
    this.#lastFinished = note.position;
    this.anchors.resolved(note.id);
    this.#finished.push(note.id, note.position, flat(withoutTrailingBlanks(text)));
  }

  #find(id: number) {
    const { length } = this.#grid.lines;
    for (let first = 0; first < length; ) {
      const line = this.#lineAt(first);
      if (line.note.id === id) return { first, ...line };
      first = line.next;
    }
    return undefined;
  }

  /** The line that begins or goes on with a row, and the index of the row after it. */
  #lineAt(index: number) {
    const { lines } = this.#grid;
    const begun = lines.get(index)!.isWrapped ? this.#begun : undefined;
    let next = index + 1;
    while (next < lines.length && lines.get(next)!.isWrapped) next++;
    return { note: begun?.note ?? this.#noteOf(index), begun, next };
  }

  #noteOf(index: number): LineNote {
    return this.#notes.at(this.#grid, index, this.#lastFinished);
  }

  /** The row after the last one that counts: the cursor's, or the last that is not blank. */
  #end(): number {
    return Math.max(cursorRow(this.#grid), lastRow(this.#grid) + 1);
  }
}
