/**
 * Records which line begins on a row: its id and its position. They stay with the row when it
 * moves, and are forgotten with it.
 */

import type { LineStartSnapshot } from '../screen-snapshot.ts';
import type { XtermBuffer, XtermRow } from '../xterm/xterm.ts';
import { rowAt } from './rows.ts';

export interface LineStart {
  id: number;
  position: number;
  /** The next piece, if the line was too long: see line-pieces.ts. */
  next?: LineStart;
  /** It continues the line of the piece before. */
  continues?: true;
  /** Stands for rows that were skipped, and is never shown. */
  skipped?: true;
}

export class LineStarts {
  readonly #starts = new WeakMap<XtermRow, LineStart>();
  nextId = 1;
  /** For rows that the cursor has jumped over: see `at`. */
  nextJumpedId = -1;

  begin(row: XtermRow, position: number): LineStart {
    const start = { id: this.nextId++, position };
    this.#starts.set(row, start);
    return start;
  }

  /** The text of the row is unknown, because its output was not parsed. */
  skip(row: XtermRow): void {
    this.#starts.set(row, { id: 0, position: 0, skipped: true });
  }

  /** The start of the next piece. It has the same id at every call. */
  nextPiece(start: LineStart, position: number): LineStart {
    start.next ??= { id: this.nextId++, position, continues: true };
    return start.next;
  }

  get(row: XtermRow): LineStart | undefined {
    return this.#starts.get(row);
  }

  set(row: XtermRow, start: LineStart): void {
    this.#starts.set(row, start);
  }

  /** The row continues the line above. */
  delete(row: XtermRow): void {
    this.#starts.delete(row);
  }

  /**
   * A row without a start gets the position of the line above it, or `fallback` if there is none.
   * The cursor has jumped over such a row. It gets its id when somebody looks at it: one of another kind,
   * so that the ids of the other lines depend on the output alone.
   */
  at(grid: XtermBuffer, index: number, fallback: number): LineStart {
    const start = this.#starts.get(rowAt(grid, index));
    if (start !== undefined) return start;
    let above: LineStart | undefined;
    for (let at = index - 1; at >= 0 && above === undefined; at--) {
      above = this.#starts.get(rowAt(grid, at));
    }
    const jumped = { id: this.nextJumpedId--, position: above?.position ?? fallback };
    this.#starts.set(rowAt(grid, index), jumped);
    return jumped;
  }
}

/** The start of a line and of its further pieces, as data. */
export const snapshotLineStart = (start: LineStart): LineStartSnapshot => {
  const { next, ...first } = start;
  return [first, ...(next === undefined ? [] : snapshotLineStart(next))];
};

export const restoreLineStart = ([first, ...pieces]: LineStartSnapshot): LineStart => ({
  ...first!,
  ...(pieces.length > 0 && { next: restoreLineStart(pieces) }),
});
