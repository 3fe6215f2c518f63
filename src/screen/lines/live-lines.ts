/**
 * The lines that can still change: those in xterm's buffer, on the screen and just above it.
 *
 * A line is made of rows: the first, and the rows it wraps onto. When a row is about to leave the
 * buffer, it goes to the history as text. Every line has an id that stays with its first row when
 * the row moves, so a reader can distinguish a line that changed from one that moved. Only the
 * normal screen has lines: nothing scrolls off the alternate screen.
 */

import type { LineHistory } from '../history/line-history.ts';
import type { LiveLinesSnapshot } from '../screen-snapshot.ts';
import { moveRows, rotateRows } from '../xterm/move-rows.ts';
import type { RowReader } from '../xterm/row-reader.ts';
import { scrollbackRows, type Xterm, type XtermBuffer } from '../xterm/xterm.ts';
import { BufferLines } from './buffer-lines.ts';
import { type LinePiece, locateInPieces } from './line-pieces.ts';
import { LineStarts, restoreLineStart, snapshotLineStart } from './line-starts.ts';
import { type PositionAnchor, PositionAnchors } from './position-anchors.ts';
import {
  cursorRow,
  flattenString,
  lastNonBlankRow,
  rowAt,
  rowLength,
  withoutTrailingBlanks,
} from './rows.ts';

export type { LiveLine } from './buffer-lines.ts';

export class LiveLines {
  readonly anchors = new PositionAnchors();
  readonly #xterm: Xterm;
  readonly #history: LineHistory;
  readonly #starts = new LineStarts();
  readonly #reader: RowReader;
  /** The current text of the lines. */
  readonly buffer: BufferLines;
  /** Where the step that is being parsed began. */
  #stepStart = 0;

  constructor(xterm: Xterm, history: LineHistory, reader: RowReader) {
    this.#xterm = xterm;
    this.#history = history;
    this.#reader = reader;
    this.buffer = new BufferLines(xterm, this.#starts, reader);
    this.#starts.begin(rowAt(this.#grid, 0), this.position);
    this.#watchScrolling();
  }

  get position(): number {
    return this.buffer.position;
  }

  set position(position: number) {
    this.buffer.position = position;
  }

  get #grid(): XtermBuffer {
    return this.#xterm.core.buffers.normal;
  }

  /** Called after each line feed, and after each sequence that is parsed by itself. */
  noteLineStart(isLineFeed: boolean): void {
    const grid = this.#grid;
    if (this.#xterm.core.buffers.active === grid) {
      const row = rowAt(grid, cursorRow(grid));
      const start = this.#starts.get(row);
      if (start === undefined && !row.isWrapped) this.#starts.begin(row, this.#stepStart);
      // A line feed onto an empty row begins a new line, even if an older line there was erased.
      if (isLineFeed && start?.position !== this.position && row.getTrimmedLength() === 0) {
        this.#starts.begin(row, this.position);
      }
    }
    this.#stepStart = this.position;
  }

  /** Sends the rows above the screen to the history: the program is about to erase them. */
  moveScrollbackToHistory(): void {
    this.#moveToHistory(this.#grid.ybase);
  }

  /** Sends every line to the history: the program is about to reset the terminal. */
  moveAllToHistory(): void {
    this.#moveToHistory(this.buffer.endRow());
    this.#finishScrolledOff();
  }

  /**
   * Scrolls the lines of the screen off, as some terminals do when the screen is cleared. So they
   * stay readable, and what is drawn next does not count as a change of these lines.
   */
  scrollAway(): void {
    const grid = this.#grid;
    const { scrollTop, scrollBottom } = grid;
    grid.scrollTop = 0;
    grid.scrollBottom = this.#xterm.terminal.rows - 1;
    this.scroll(lastNonBlankRow(grid) - grid.ybase + 1);
    grid.scrollTop = scrollTop;
    grid.scrollBottom = scrollBottom;
  }

  /** Scrolls within the margins. xterm would move all rows there, or below, once for each that leaves. */
  scroll(most: number): void {
    const grid = this.#grid;
    const { scrollTop, scrollBottom } = grid;
    const { _bufferService, _inputHandler } = this.#xterm.core;
    const last = this.#xterm.terminal.rows - 1;
    const count = Math.min(most, scrollBottom - scrollTop + 1);
    if (scrollTop > 0) {
      this.#scrollBelowMargin(count);
      return;
    }
    grid.scrollBottom = last;
    for (let left = count; left > 0; left--) _bufferService.scroll(_inputHandler._eraseAttrData());
    grid.scrollBottom = scrollBottom;
    if (scrollBottom === last) return;
    // What is below the margin goes back to its place.
    rotateRows(grid, { top: scrollBottom + 1 - count, bottom: last }, count);
    rowAt(grid, grid.ybase + scrollBottom + 1).isWrapped = false;
  }

  #scrollBelowMargin(count: number): void {
    const grid = this.#grid;
    const range = { top: grid.scrollTop, bottom: grid.scrollBottom };
    for (let row = 0; row < count; row++) this.#moveRowBelowMarginToHistory(grid.scrollTop + row);
    moveRows(grid, range, -count, this.#xterm.core._inputHandler._eraseAttrData());
    for (let row = 0; row < count; row++)
      this.#starts.begin(rowAt(grid, grid.ybase + range.bottom - row), this.position);
    const below = grid.lines.get(grid.ybase + range.bottom + 1);
    if (below !== undefined) below.isWrapped = false;
  }

  /**
   * Counts `count` lines that scrolled by without being parsed, and continues at the start of the
   * last row. The buffer is exact again after a full screen and a full scrollback of further lines.
   */
  skip(count: number, bytes: number): void {
    const grid = this.#grid;
    const { rows } = this.#xterm.terminal;
    this.#moveToHistory(cursorRow(grid));
    this.#finishScrolledOff();
    this.#history.skip(count, bytes);
    grid.lines.trimStart(grid.ybase);
    grid.ybase = 0;
    grid.ydisp = 0;
    for (let y = 0; y < rows; y++) {
      const row = grid.getBlankLine(this.#xterm.core._inputHandler._eraseAttrData());
      this.#starts.skip(row);
      grid.lines.set(y, row);
    }
    grid.x = 0;
    grid.y = rows - 1;
    this.#stepStart = this.position;
    this.#starts.begin(rowAt(grid, rows - 1), this.position);
  }

  resize(cols: number, rows: number): void {
    const { terminal } = this.#xterm;
    // One after the other, first what gets less: a tall and narrow screen that becomes low and wide would
    // have the cells of one that is tall and wide meanwhile, and that is gigabytes.
    this.#resizeTo(terminal.cols, Math.min(rows, terminal.rows));
    this.#resizeTo(cols, terminal.rows);
    this.#resizeTo(cols, rows);
  }

  #resizeTo(cols: number, rows: number): void {
    const { terminal } = this.#xterm;
    if (cols === terminal.cols && rows === terminal.rows) return;
    if (cols > terminal.cols) this.#keepAboveScreen(scrollbackRows(cols));
    const grid = this.#grid;
    const anchor = this.buffer.cursorAnchor();
    const savedRow = Math.min(grid.savedY, grid.lines.length - 1);
    const savedAnchor = this.buffer.anchorAt(savedRow, grid.savedX);
    // xterm drops rows below the cursor to make room, even if they are not blank.
    grid.y = Math.max(cursorRow(grid), lastNonBlankRow(grid)) - grid.ybase;
    // A narrower screen needs more rows. xterm would drop the oldest, so it gets room for all.
    const maxRows = grid.lines.length * Math.ceil(terminal.cols / cols) + rows + terminal.rows;
    terminal.options.scrollback = 2 * maxRows;
    terminal.resize(cols, rows);
    const cursor = this.#cursorAt(anchor);
    const saved = this.#cursorAt(savedAnchor);
    this.#keepAboveScreen(scrollbackRows(cols));
    Object.assign(grid, cursor);
    // xterm does not move the saved cursor. After it is restored, new output would overwrite text.
    if (saved !== undefined) {
      grid.savedX = saved.x;
      grid.savedY = grid.ybase + saved.y;
    }
  }

  /** Finishes a line whose beginning has scrolled off, if the rest was erased or moved. */
  finishCutOffLine(): void {
    if (this.buffer.scrolledOff !== undefined && !rowAt(this.#grid, 0).isWrapped)
      this.#finishScrolledOff();
  }

  snapshot(): LiveLinesSnapshot {
    const { lines } = this.#grid;
    const { position, lastFinished, scrolledOff } = this.buffer;
    return {
      position,
      lastFinished,
      stepStart: this.#stepStart,
      nextId: this.#starts.nextId,
      nextJumpedId: this.#starts.nextJumpedId,
      ...(scrolledOff && {
        scrolledOff: {
          start: snapshotLineStart(scrolledOff.start),
          text: scrolledOff.text,
          cells: scrolledOff.cells,
          hidden: scrolledOff.hidden,
        },
      }),
      starts: Array.from({ length: lines.length }, (_, at) => {
        const start = this.#starts.get(lines.get(at)!);
        return start === undefined ? null : snapshotLineStart(start);
      }),
      anchors: this.anchors.snapshot(),
    };
  }

  /** Call this when the rows are restored. */
  restore(snapshot: LiveLinesSnapshot): void {
    const { position, lastFinished, scrolledOff, starts, anchors } = snapshot;
    this.#stepStart = snapshot.stepStart;
    Object.assign(this.buffer, {
      position,
      lastFinished,
      scrolledOff: scrolledOff && { ...scrolledOff, start: restoreLineStart(scrolledOff.start) },
    });
    this.#starts.nextId = snapshot.nextId;
    this.#starts.nextJumpedId = snapshot.nextJumpedId;
    for (const [at, start] of starts.entries()) {
      if (start !== null) this.#starts.set(rowAt(this.#grid, at), restoreLineStart(start));
    }
    this.anchors.restore(anchors);
  }

  /** Where the cursor belongs after a resize: xterm moves its line, but not the cursor. */
  #cursorAt({ id, cell }: PositionAnchor): { x: number; y: number } | undefined {
    const grid = this.#grid;
    const { cols, rows } = this.#xterm.terminal;
    const line = this.buffer.find(id);
    if (line === undefined) return undefined;
    let row = line.first;
    let x = Math.max(0, cell - line.scrolledOff.cells);
    // After a full last row, the cursor stays on that row until something is printed.
    for (; row < line.next - 1 && x >= rowLength(grid, row); row++) x -= rowLength(grid, row);
    if (x > cols || row >= grid.ybase + rows) return undefined;
    return { x, y: Math.max(0, row - grid.ybase) };
  }

  /** Handles each row before xterm drops it, and each new row. */
  #watchScrolling(): void {
    const { core } = this.#xterm;
    const scroll = core._bufferService.scroll.bind(core._bufferService);
    core._bufferService.scroll = (attributes, isWrapped = false) => {
      const grid = this.#grid;
      const isNormalScreen = core.buffers.active === grid;
      if (isNormalScreen && grid.scrollTop === 0 && grid.lines.isFull) this.#moveRowToHistory(0);
      if (isNormalScreen && grid.scrollTop > 0) this.#moveRowBelowMarginToHistory(grid.scrollTop);
      scroll(attributes, isWrapped);
      if (!isNormalScreen) return;
      const row = rowAt(grid, grid.ybase + grid.scrollBottom);
      if (isWrapped) this.#starts.delete(row);
      else this.#starts.begin(row, this.position);
      // The row below the margin may have continued a row that has now moved up, away from it.
      const isLast = grid.scrollBottom === this.#xterm.terminal.rows - 1;
      if (!isLast) rowAt(grid, grid.ybase + grid.scrollBottom + 1).isWrapped = false;
    };
  }

  /** So many rows above the screen. The others go to the history, and xterm drops them. */
  #keepAboveScreen(rows: number): void {
    const { terminal } = this.#xterm;
    this.#moveToHistory(this.#grid.lines.length - terminal.rows - rows);
    terminal.options.scrollback = rows;
  }

  /** Sends the first rows to the history. The caller, or xterm, then removes them. */
  #moveToHistory(count: number): void {
    for (let index = 0; index < count; index++) this.#moveRowToHistory(index);
  }

  #moveRowToHistory(index: number): void {
    const grid = this.#grid;
    if (index === 0) this.finishCutOffLine();
    const scrolledOff = this.buffer.scrolledOffAt(index);
    if (scrolledOff.start.skipped) return;
    const pieces = this.buffer.pieces({ first: index, next: index + 1, scrolledOff });
    this.#resolveAnchors(index, scrolledOff, pieces);
    const last = pieces.pop()!;
    for (const piece of pieces) this.#finish(piece, piece.text);
    this.buffer.scrolledOff = last;
    if (!grid.lines.get(index + 1)?.isWrapped) this.#finishScrolledOff();
  }

  /**
   * xterm drops the first row below a top margin when it scrolls. It was printed, so it goes to the
   * history, as a line by itself and after all earlier lines.
   */
  #moveRowBelowMarginToHistory(first: number): void {
    const grid = this.#grid;
    if (rowAt(grid, grid.ybase + first).getTrimmedLength() === 0) return;
    this.moveScrollbackToHistory();
    grid.lines.trimStart(grid.ybase);
    grid.savedY = Math.max(0, grid.savedY - grid.ybase);
    grid.ybase = 0;
    grid.ydisp = 0;
    const next = first + 1;
    // The rest of its line, if there is any, becomes a separate line.
    for (const index of [first, next]) {
      const row = grid.lines.get(index);
      if (row !== undefined) row.isWrapped = false;
    }
    const scrolledOff = this.buffer.scrolledOffAt(first);
    if (scrolledOff.start.skipped) return;
    const pieces = this.buffer.pieces({ first, next, scrolledOff });
    this.#resolveAnchors(first, scrolledOff, pieces);
    for (const piece of pieces) this.#finish(piece, withoutTrailingBlanks(piece.text));
  }

  /** Gives the anchors on a leaving row their index, and moves the others to the right piece. */
  #resolveAnchors(index: number, scrolledOff: LinePiece, pieces: readonly LinePiece[]): void {
    const grid = this.#grid;
    const continues = grid.lines.get(index + 1)?.isWrapped;
    const length = continues ? rowLength(grid, index) : rowAt(grid, index).length;
    for (const anchor of this.anchors.onLine(scrolledOff.start.id)) {
      const col = anchor.cell - scrolledOff.cells;
      if (anchor.index !== undefined || col > length) continue;
      const before = scrolledOff.text.length + this.#reader.text(rowAt(grid, index), 0, col).length;
      Object.assign(anchor, locateInPieces(pieces, before));
    }
    for (const [at, { start, cells }] of pieces.slice(0, -1).entries())
      this.anchors.moveToPiece(start.id, { id: pieces[at + 1]!.start.id, cells });
  }

  #finishScrolledOff(): void {
    const { scrolledOff } = this.buffer;
    if (scrolledOff !== undefined)
      this.#finish(scrolledOff, withoutTrailingBlanks(scrolledOff.text));
    this.buffer.scrolledOff = undefined;
  }

  #finish({ start, hidden }: LinePiece, text: string): void {
    this.buffer.lastFinished = start.position;
    this.anchors.forgetLine(start.id);
    this.#history.push(start, flattenString(text), hidden);
  }
}
