/** Looks at a screen now and then, and notes which rows change while nobody types. */
import type { Screen } from '../../screen/screen.ts';
import { makeScreenView } from '../../views/screen.ts';
import type { ScreenLook } from './screen-look.ts';

/** More often it is not looked at a screen that is drawn all the time. */
const LOOK_MS = 250;

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
