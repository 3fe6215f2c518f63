/** A person's own terminal: reads its keys, shows displays on it, and puts it back as it was. */
import type { DisplayWindow, ScreenDump, SessionDisplay } from './display.ts';
import { POP_TITLE, PUSH_TITLE, titleSequence } from './restore-terminal.ts';
import { StdoutWindow } from './stdout-window.ts';

type DisplayClass = new (window: DisplayWindow) => SessionDisplay;

export class PersonTerminal {
  #display: SessionDisplay | undefined;
  #isRaw = false;
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
    process.stdout.on('resize', onResize);
    this.#window.write(PUSH_TITLE);
  }

  get size(): { cols: number; rows: number } {
    const { cols, rows } = this.#window;
    return { cols, rows };
  }

  show(Display: DisplayClass, screen: ScreenDump): void {
    if (this.#display?.constructor !== Display) {
      this.#display?.restore();
      this.#display = new Display(this.#window);
    }
    this.#display.show(screen);
  }

  output(bytes: Uint8Array): void {
    this.#display?.output(bytes);
  }

  /** Our messages go into the title: the rest of the window is the program's. */
  setTitle(text: string): void {
    this.#window.write(titleSequence(text));
  }

  bell(): void {
    this.#window.write('\x07');
  }

  restore(): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    process.off('exit', this.#onExit);
    try {
      this.#display?.restore();
      this.#window.write(POP_TITLE);
    } finally {
      process.stdin.setRawMode(false);
      process.stdin.pause();
      process.stdin.removeAllListeners('data');
      process.stdout.removeAllListeners('resize');
    }
  }
}
