/** A session whose screen has the size of the person's window: its output is the terminal's. */
import type { Display, Drawn, Window } from './display.ts';
import { Passage } from './passage.ts';
import { ALTERNATE_OFF, CLEAR, switchedOff } from './restoring.ts';

export class Direct implements Display {
  readonly #window: Window;
  #passage = new Passage();
  #isShown = false;

  constructor(window: Window) {
    this.#window = window;
  }

  show({ dump }: Drawn): void {
    const { rows, write } = this.#window;
    // What is in the window is not overwritten: it scrolls up, to where the person can find it.
    if (!this.#isShown) write(`\x1b[${rows};1H${'\n'.repeat(rows)}`);
    else this.#normal();
    this.#isShown = true;
    this.#passage = new Passage();
    write(CLEAR);
    write(this.#passage.pass(dump));
  }

  output(bytes: Uint8Array): void {
    this.#window.write(this.#passage.pass(bytes));
  }

  leave(): void {
    if (!this.#isShown) return;
    const { rows, write } = this.#window;
    const wasAlternate = this.#passage.isAlternate;
    this.#normal();
    // The alternate screen gives way to the line the cursor was on before.
    write(wasAlternate ? '\r\n' : `\x1b[${rows};1H\r\n`);
  }

  #normal(): void {
    const { isAlternate } = this.#passage;
    this.#window.write(`${switchedOff(this.#passage)}${isAlternate ? ALTERNATE_OFF : ''}`);
  }
}
