/** A session whose screen has the size of the person's window: its output is the terminal's. */
import type { Display, DrawnScreen, TerminalWindow } from './display.ts';
import { QueryFilter } from './query-filter.ts';
import { ALTERNATE_OFF, ALTERNATE_ON, CLEAR, resetModes } from './restore-terminal.ts';

export class DirectDisplay implements Display {
  readonly #window: TerminalWindow;
  #passage = new QueryFilter();
  #isShown = false;
  /** Whether the normal screen shows the session; else it is as the person left it. */
  #hasNormal = false;
  #waitsForScreen = false;

  constructor(window: TerminalWindow) {
    this.#window = window;
  }

  show({ dump }: DrawnScreen): void {
    const { rows, write } = this.#window;
    if (this.#isShown) this.#normal();
    this.#isShown = true;
    this.#waitsForScreen = false;
    this.#passage = new QueryFilter();
    const alternateAt = dump.indexOf(ALTERNATE_ON);
    if (alternateAt !== -1 && !this.#hasNormal) {
      // The terminal puts the person's own screen aside, and brings it back.
      write(this.#passage.filter(dump.slice(alternateAt)));
      return;
    }
    // What is in the window is not overwritten: it scrolls up, to where the person can find it.
    if (!this.#hasNormal) write(`\x1b[${rows};1H${'\n'.repeat(rows)}`);
    this.#hasNormal = true;
    write(CLEAR);
    write(this.#passage.filter(dump));
  }

  output(bytes: Uint8Array): void {
    if (this.#waitsForScreen) return;
    const passed = this.#passage.filter(bytes);
    const isOnForeignScreen = !this.#hasNormal && !this.#passage.isAlternate;
    if (!isOnForeignScreen) {
      this.#window.write(passed);
      return;
    }
    // What follows belongs on the session's own normal screen, which has not been drawn yet.
    const end = passed.indexOf(ALTERNATE_OFF);
    if (end !== -1) this.#window.write(passed.subarray(0, end + ALTERNATE_OFF.length));
    this.#waitsForScreen = true;
    this.#window.redraw();
  }

  leave(): void {
    if (!this.#isShown) return;
    const { rows, write } = this.#window;
    this.#normal();
    // Below all that is in the window, unless that is what was there before.
    if (this.#hasNormal) write(`\x1b[${rows};1H\r\n`);
  }

  #normal(): void {
    const { isAlternate } = this.#passage;
    this.#window.write(`${resetModes(this.#passage)}${isAlternate ? ALTERNATE_OFF : ''}`);
  }
}
