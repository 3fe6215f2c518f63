/**
 * The lines that can still change: those in xterm's buffer, on the screen and just above it.
 *
 * A line is made of rows: the first, and the rows it wraps onto. When a row is about to leave the
 * buffer it goes to the history as text. Every line has an id, which stays with its first row
 * wherever that moves, so a reader can tell a line that changed from one that moved.
 * Only the normal screen has lines: what is drawn on the alternate screen scrolls nowhere.
 */

import type { LineHistory } from '../history/line-history.ts';
import { type Grid, SCROLLBACK_ROWS, type Xterm } from '../xterm/xterm.ts';
import { type AnchoredPlace, Anchors } from './anchors.ts';
import { BufferLines } from './buffer-lines.ts';
import { indexInPieces, type LinePiece } from './line-pieces.ts';
import { LineStarts } from './line-starts.ts';
import {
  cursorRow,
  flattenString,
  lastRow,
  rowAt,
  rowLength,
  rowsText,
  withoutTrailingBlanks,
} from './rows.ts';

export type { LiveLine } from './buffer-lines.ts';

export class LiveLines {
  readonly anchors = new Anchors();
  readonly #xterm: Xterm;
  readonly #finished: LineHistory;
  readonly #notes = new LineStarts();
  /** What they say now. */
  readonly buffer: BufferLines;
  /** Where the step that is being parsed began. */
  #lastCut = 0;

  constructor(xterm: Xterm, finished: LineHistory) {
    this.#xterm = xterm;
    this.#finished = finished;
    this.buffer = new BufferLines(xterm, this.#notes);
    this.#notes.begin(rowAt(this.#grid, 0), this.position);
    this.#watchScrolling();
  }

  get position(): number {
    return this.buffer.position;
  }

  set position(position: number) {
    this.buffer.position = position;
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

  /** Sends the rows above the screen to the history: the program is about to erase them. */
  retireScrollback(): void {
    this.#retire(this.#grid.ybase);
  }

  /** Sends every line to the history: the program is about to reset the terminal. */
  retireAll(): void {
    this.#retire(this.buffer.end());
    this.#finishBegun();
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
    this.#finishBegun();
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
    const place = this.buffer.cursorPlace();
    const savedRow = Math.min(grid.savedY, grid.lines.length - 1);
    const savedPlace = this.buffer.placeAt(savedRow, grid.savedX);
    // xterm drops rows below the cursor to make room, whether they are blank or not.
    grid.y = Math.max(cursorRow(grid), lastRow(grid)) - grid.ybase;
    // Narrower rows are more rows. xterm would drop the oldest, so it gets room for all of them.
    const mostRows = grid.lines.length * Math.ceil(terminal.cols / cols) + rows + terminal.rows;
    terminal.options.scrollback = 2 * mostRows;
    terminal.resize(cols, rows);
    const cursor = this.#cursorAt(place);
    const saved = this.#cursorAt(savedPlace);
    this.#retire(Math.max(0, grid.lines.length - rows - SCROLLBACK_ROWS));
    terminal.options.scrollback = SCROLLBACK_ROWS;
    Object.assign(grid, cursor);
    // xterm forgets that it has moved too: what is printed when it is restored would hide what was said.
    if (saved !== undefined) {
      grid.savedX = saved.x;
      grid.savedY = grid.ybase + saved.y;
    }
  }

  /** Called when the program has moved rows about: the begin of a line may be all that is left of it. */
  settle(): void {
    if (this.buffer.begun !== undefined && !rowAt(this.#grid, 0).isWrapped) this.#finishBegun();
  }

  /** xterm moves the rows of a line that holds the cursor, and leaves the cursor where it was. */
  #cursorAt({ id, cell }: AnchoredPlace): { x: number; y: number } | undefined {
    const grid = this.#grid;
    const { cols, rows } = this.#xterm.terminal;
    const line = this.buffer.find(id);
    if (line === undefined) return undefined;
    let row = line.first;
    let x = Math.max(0, cell - line.begun.cells);
    // Behind a last row that is full, the cursor stays on it until something is printed.
    for (; row < line.next - 1 && x >= rowLength(grid, row); row++) x -= rowLength(grid, row);
    if (x > cols || row >= grid.ybase + rows) return undefined;
    return { x, y: Math.max(0, row - grid.ybase) };
  }

  /** Sees each row before xterm forgets it, and each row that begins. */
  #watchScrolling(): void {
    const { core } = this.#xterm;
    const scroll = core._bufferService.scroll.bind(core._bufferService);
    core._bufferService.scroll = (attributes, isWrapped = false) => {
      const grid = this.#grid;
      const isOurs = core.buffers.active === grid;
      if (isOurs && grid.scrollTop === 0 && grid.lines.isFull) this.#retireRow(0);
      if (isOurs && grid.scrollTop > 0) this.#retireBelowMargin();
      scroll(attributes, isWrapped);
      if (!isOurs) return;
      const row = rowAt(grid, grid.ybase + grid.scrollBottom);
      if (isWrapped) this.#notes.delete(row);
      else this.#notes.begin(row, this.position);
      // What stands below the margin went on with a row that has moved away from it.
      const isLast = grid.scrollBottom === this.#xterm.terminal.rows - 1;
      if (!isLast) rowAt(grid, grid.ybase + grid.scrollBottom + 1).isWrapped = false;
    };
  }

  /** The first rows go to the history. The caller drops them, or has xterm drop them. */
  #retire(count: number): void {
    for (let index = 0; index < count; index++) this.#retireRow(index);
  }

  #retireRow(index: number): void {
    const grid = this.#grid;
    if (index === 0) this.settle();
    const begun = this.buffer.begunAt(index);
    if (begun.note.void) return;
    const pieces = this.buffer.pieces({ first: index, next: index + 1, begun });
    this.#resolveAnchors(index, begun, pieces);
    const last = pieces.pop()!;
    for (const piece of pieces) this.#finish(piece, piece.text);
    this.buffer.begun = last;
    if (!grid.lines.get(index + 1)?.isWrapped) this.#finishBegun();
  }

  /**
   * xterm drops the row below a margin that holds rows above it. It was said, so it goes to the history,
   * by itself, and behind all that was said before.
   */
  #retireBelowMargin(): void {
    const grid = this.#grid;
    if (rowAt(grid, grid.ybase + grid.scrollTop).getTrimmedLength() === 0) return;
    this.retireScrollback();
    grid.lines.trimStart(grid.ybase);
    grid.savedY = Math.max(0, grid.savedY - grid.ybase);
    grid.ybase = 0;
    grid.ydisp = 0;
    const first = grid.scrollTop;
    const next = first + 1;
    // The rest of its line, if there is one, is a line of its own from now on.
    for (const index of [first, next]) {
      const row = grid.lines.get(index);
      if (row !== undefined) row.isWrapped = false;
    }
    const begun = this.buffer.begunAt(first);
    if (begun.note.void) return;
    const pieces = this.buffer.pieces({ first, next, begun });
    this.#resolveAnchors(first, begun, pieces);
    for (const piece of pieces) this.#finish(piece, withoutTrailingBlanks(piece.text));
  }

  /** The places on a row that leaves the buffer become indices; a cut takes those behind it along. */
  #resolveAnchors(index: number, begun: LinePiece, pieces: readonly LinePiece[]): void {
    const grid = this.#grid;
    const goesOn = grid.lines.get(index + 1)?.isWrapped;
    const length = goesOn ? rowLength(grid, index) : rowAt(grid, index).length;
    for (const place of this.anchors.unresolved(begun.note.id)) {
      const col = place.cell - begun.cells;
      if (place.index !== undefined || col > length) continue;
      const before = begun.text.length + rowsText(grid, index, index + 1, col).length;
      Object.assign(place, indexInPieces(pieces, before));
    }
    for (const [at, { note, cells }] of pieces.slice(0, -1).entries())
      this.anchors.follow(note.id, { id: pieces[at + 1]!.note.id, cells });
  }

  #finishBegun(): void {
    const { begun } = this.buffer;
    if (begun !== undefined) this.#finish(begun, withoutTrailingBlanks(begun.text));
    this.buffer.begun = undefined;
  }

  #finish({ note }: LinePiece, text: string): void {
    this.buffer.lastFinished = note.position;
    this.anchors.resolved(note.id);
    this.#finished.push(note, flattenString(text));
  }
}
