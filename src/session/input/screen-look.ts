/** How a screen looked when a person was asked about it, so that it can be told whether that has changed. */
import type { Screen } from '../../screen/screen.ts';
import { makeScreenView } from '../../views/screen.ts';

export interface ScreenLook {
  rows: readonly string[];
  /** Absent if it is hidden: then it may stand where the program has drawn last. */
  cursor?: { col: number; row: number };
  isAlternate: boolean;
  /** The number of the line at the top: another one when it has scrolled. */
  top: number;
  /** What stands out, such as the chosen entry of a menu, with its place. */
  marked: readonly string[];
  /** Rows that the program has drawn anew since the last input, by itself. */
  restless: readonly number[];
}

/** More often it is not looked at a screen that is drawn all the time. */
const LOOK_MS = 250;

/** Looks at a screen now and then, and notes which rows change while nobody types. */
export class ScreenWatch {
  readonly #screen: Screen;
  #inputs = -1;
  /** What each row showed last, unless it was blank: some programs clear the screen before they draw. */
  #texts: string[] = [];
  readonly #restless = new Set<number>();
  #lookedMs = Number.NEGATIVE_INFINITY;

  constructor(screen: Screen) {
    this.#screen = screen;
  }

  /** Whether it is time to look at something new on the screen. */
  get isDue(): boolean {
    return performance.now() - this.#lookedMs >= LOOK_MS;
  }

  /** `inputs`: how often something was typed until now. */
  look(inputs: number): ScreenLook {
    this.#lookedMs = performance.now();
    const { lines: rows, cursor, alternate, marked } = makeScreenView(this.#screen);
    if (inputs !== this.#inputs) this.#beginAnew(inputs);
    for (const [row, text] of rows.entries()) {
      if (text === '') continue;
      const before = this.#texts[row];
      this.#texts[row] = text;
      if (before !== undefined && before !== text) this.#restless.add(row);
    }
    return {
      rows,
      ...(cursor.visible && { cursor: { col: cursor.col, row: cursor.row } }),
      isAlternate: alternate,
      top: this.#screen.firstLineOnScreen,
      marked: marked.map(({ row, col, text }) => `${row},${col}: ${text}`),
      restless: [...this.#restless],
    };
  }

  #beginAnew(inputs: number): void {
    this.#inputs = inputs;
    this.#texts = [];
    this.#restless.clear();
  }
}

/**
 * Whether a screen still asks what it asked, although the program has drawn since. A cursor that is shown, its
 * row, and what stands out must be the same, and each other row that was still before. A row that the program had
 * drawn anew by itself before may show something else: a clock, a list of processes.
 */
export const asksTheSame = (asked: ScreenLook, now: ScreenLook): boolean => {
  const rows = Math.max(asked.rows.length, now.rows.length);
  const isSameRow = (at: number) => (asked.rows[at] ?? '') === (now.rows[at] ?? '');
  return (
    asked.isAlternate === now.isAlternate &&
    asked.top === now.top &&
    asked.cursor?.row === now.cursor?.row &&
    asked.cursor?.col === now.cursor?.col &&
    (asked.cursor === undefined || isSameRow(asked.cursor.row)) &&
    asked.marked.join('\n') === now.marked.join('\n') &&
    Array.from({ length: rows }, (_, at) => at).every(
      (at) => isSameRow(at) || asked.restless.includes(at),
    )
  );
};
