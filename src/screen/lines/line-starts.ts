/**
 * Which line begins on a row: its id and its position, which stay with the row wherever that moves,
 * and are forgotten with it.
 */

import type { Grid, Row } from '../xterm/xterm.ts';
import { rowAt } from './rows.ts';

export interface LineStart {
  id: number;
  position: number;
  /** It is a piece of a line, and this the piece after it: see pieces.ts. */
  next?: LineStart;
  /** It goes on with the line of the piece before. */
  continues?: true;
  /** Stands in for rows that were skipped, and is never shown. */
  void?: true;
}

export class LineStarts {
  readonly #notes = new WeakMap<Row, LineStart>();
  #nextId = 1;

  begin(row: Row, position: number): LineStart {
    const note = { id: this.#nextId++, position };
    this.#notes.set(row, note);
    return note;
  }

  /** Nothing is known of the row but that it was there. */
  skip(row: Row): void {
    this.#notes.set(row, { id: 0, position: 0, void: true });
  }

  /** The piece of a line that follows one. It keeps its id, however often it is asked for. */
  follow(note: LineStart, position: number): LineStart {
    note.next ??= { id: this.#nextId++, position, continues: true };
    return note.next;
  }

  get(row: Row): LineStart | undefined {
    return this.#notes.get(row);
  }

  /** The row goes on with a line. */
  delete(row: Row): void {
    this.#notes.delete(row);
  }

  /**
   * A row that the cursor has not stayed on counts as begun with the line above it, or at `otherwise`
   * where there is none.
   */
  at(grid: Grid, index: number, otherwise: number): LineStart {
    const note = this.#notes.get(rowAt(grid, index));
    if (note !== undefined) return note;
    let above: LineStart | undefined;
    for (let at = index - 1; at >= 0 && above === undefined; at--) {
      above = this.#notes.get(rowAt(grid, at));
    }
    return this.begin(rowAt(grid, index), above?.position ?? otherwise);
  }
}
