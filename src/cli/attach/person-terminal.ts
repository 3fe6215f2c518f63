/**
 * A person's own terminal: reads its keys, shows a display on it with a status line below, and puts it back
 * as it was.
 */
import { DirectDisplay } from './direct-display.ts';
import type { ScreenDump, SessionDisplay } from './display.ts';
import { MirrorDisplay } from './mirror-display.ts';
import { POP_TITLE, PUSH_TITLE, titleSequence } from './restore-terminal.ts';
import { StdoutWindow } from './stdout-window.ts';

/** In a lower window the session needs every row. */
const MIN_ROWS_WITH_STATUS = 4;

export class PersonTerminal {
  #display: SessionDisplay | undefined;
  #isRaw = false;
  #status: ((cols: number) => string) | undefined;
  readonly #window: StdoutWindow;
  readonly #onExit = () => this.restore();

  /** `redraw` is called when the display needs the whole screen again. */
  constructor(redraw: () => void, mayCopy: boolean) {
    this.#window = new StdoutWindow(redraw, mayCopy);
  }

  /** Passes keys on as they are pressed, until `restore`. */
  start(onKeys: (bytes: Buffer) => void, onResize: () => void): void {
    // Restores the terminal however this process ends, except by SIGKILL.
    process.on('exit', this.#onExit);
    process.stdin.setRawMode(true);
    this.#isRaw = true;
    process.stdin.on('data', onKeys);
    process.stdout.on('resize', () => {
      this.#fitStatus();
      onResize();
    });
    this.#window.write(PUSH_TITLE);
  }

  /** What is there for the session. */
  get size(): { cols: number; rows: number } {
    const { cols, rows } = this.#window;
    return { cols, rows };
  }

  get hasStatus(): boolean {
    return this.#window.rowsBelow > 0;
  }

  /** `text` gives the status line for a width. Undefined hides it: the session gets its row. */
  setStatus(text: ((cols: number) => string) | undefined): void {
    this.#status = text;
    this.#fitStatus();
    this.#drawStatus();
  }

  show(screen: ScreenDump): void {
    const { cols, rows } = this.#window;
    const isOurSize = screen.cols === cols && screen.rows === rows;
    const Display = isOurSize && !this.hasStatus ? DirectDisplay : MirrorDisplay;
    if (this.#display?.constructor !== Display) {
      this.#display?.restore();
      this.#display = new Display(this.#window);
    }
    this.#display.show(screen);
    this.#drawStatus();
  }

  output(bytes: Uint8Array): void {
    this.#display?.output(bytes);
  }

  setTitle(text: string): void {
    if (this.#isRaw) this.#window.write(titleSequence(text));
  }

  bell(): void {
    this.#window.write('\x07');
  }

  /** `last`: the session's screen as it is now, if that is known. */
  restore(last?: ScreenDump): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    process.off('exit', this.#onExit);
    try {
      this.#display?.leave(last);
      this.#window.write(POP_TITLE);
    } finally {
      process.stdin.setRawMode(false);
      process.stdin.pause();
      process.stdin.removeAllListeners('data');
      process.stdout.removeAllListeners('resize');
    }
  }

  #fitStatus(): void {
    const isShown = this.#status !== undefined && process.stdout.rows >= MIN_ROWS_WITH_STATUS;
    this.#window.rowsBelow = isShown ? 1 : 0;
  }

  /** Only a mirror leaves the row below it alone. It never saves the cursor, so we can. */
  #drawStatus(): void {
    if (!this.#isRaw || !this.hasStatus || !(this.#display instanceof MirrorDisplay)) return;
    const { cols, rows, write } = this.#window;
    write(`\x1b7\x1b[${rows + 1};1H\x1b[0;7m${this.#status!(cols)}\x1b[0m\x1b8`);
  }
}
