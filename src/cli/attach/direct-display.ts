/** Shows a session that has the size of the person's window: its output goes straight to the terminal. */
import { Screen } from '../../screen/screen.ts';
import { DrawingFilter } from '../../screen/sequences/drawing-filter.ts';
import type { DisplayWindow, ScreenDump, SessionDisplay } from './display.ts';
import {
  ALTERNATE_SCREEN_OFF,
  ALTERNATE_SCREEN_ON,
  CLEAR_SCREEN,
  resetModesSequence,
} from './restore-terminal.ts';
import { screenAsLines } from './screen-painter.ts';

export class DirectDisplay implements SessionDisplay {
  readonly #window: DisplayWindow;
  #filter: DrawingFilter;
  #isShown = false;
  /** Whether the normal screen shows the session, and no longer what the person had there. */
  #ownsNormalScreen = false;
  #waitsForScreen = false;

  constructor(window: DisplayWindow) {
    this.#window = window;
    this.#filter = new DrawingFilter(window);
  }

  show({ dump }: ScreenDump): void {
    const { rows, write } = this.#window;
    if (this.#isShown) this.#resetModes();
    this.#isShown = true;
    this.#waitsForScreen = false;
    this.#filter = new DrawingFilter(this.#window);
    const alternateAt = dump.indexOf(ALTERNATE_SCREEN_ON);
    if (alternateAt !== -1 && !this.#ownsNormalScreen) {
      // The terminal itself saves the person's normal screen, and restores it later.
      write(this.#filter.filter(dump.slice(alternateAt)));
      return;
    }
    // Scrolls what is in the window up into the scrollback, so that nothing is overwritten.
    if (!this.#ownsNormalScreen) write(`\x1b[${rows};1H${'\n'.repeat(rows)}`);
    this.#ownsNormalScreen = true;
    write(CLEAR_SCREEN);
    write(this.#filter.filter(dump));
  }

  output(bytes: Uint8Array): void {
    if (this.#waitsForScreen) return;
    const filtered = this.#filter.filter(bytes);
    const isOnPersonScreen = !this.#ownsNormalScreen && !this.#filter.isAlternate;
    if (!isOnPersonScreen) {
      this.#window.write(filtered);
      return;
    }
    // The rest belongs on the session's normal screen, which has not been drawn yet.
    const end = filtered.indexOf(ALTERNATE_SCREEN_OFF);
    if (end !== -1) this.#window.write(filtered.subarray(0, end + ALTERNATE_SCREEN_OFF.length));
    this.#waitsForScreen = true;
    this.#window.redraw();
  }

  restore(): void {
    this.leave(undefined);
  }

  leave(last: ScreenDump | undefined): void {
    if (!this.#isShown) return;
    this.#resetModes();
    // The person's own screen has its cursor where it was.
    if (!this.#ownsNormalScreen) return;
    const row = last === undefined ? this.#window.rows : usedRows(last);
    this.#window.write(`\x1b[${Math.max(1, row)};1H\r\n`);
  }

  #resetModes(): void {
    const { isAlternate } = this.#filter;
    this.#window.write(
      `${resetModesSequence(this.#filter)}${isAlternate ? ALTERNATE_SCREEN_OFF : ''}`,
    );
  }
}

/** The rows of the normal screen down to the last that is not blank. A dump begins with that screen. */
const usedRows = ({ dump, cols, rows }: ScreenDump): number => {
  const screen = new Screen({ cols, rows });
  screen.write(Buffer.from(dump.split(ALTERNATE_SCREEN_ON, 1)[0]!));
  const used = screenAsLines(screen, cols).length;
  screen.dispose();
  return used;
};
