/** A person's own terminal: its keys, its size, and that it is given back as it was. */
import type { Display, DrawnScreen, TerminalWindow } from './display.ts';
import { POP_TITLE, PUSH_TITLE, setTitle } from './restore-terminal.ts';

type Kind = new (window: TerminalWindow) => Display;

export class PersonTerminal {
  #display: Display | undefined;
  #isRaw = false;
  #anew = () => {};
  readonly #restore = () => this.leave();

  /** Keys come as they are pressed, until `leave`. */
  enter(onKeys: (bytes: Buffer) => void, onResize: () => void, redraw: () => void): void {
    this.#anew = redraw;
    // However this process ends, short of SIGKILL.
    process.on('exit', this.#restore);
    process.stdin.setRawMode(true);
    this.#isRaw = true;
    process.stdin.on('data', onKeys);
    process.stdout.on('resize', onResize);
    write(PUSH_TITLE);
  }

  get size(): { cols: number; rows: number } {
    return { cols: process.stdout.columns, rows: process.stdout.rows };
  }

  show(Kind: Kind, drawn: DrawnScreen): void {
    const isSame = this.#display?.constructor === Kind;
    if (!isSame) this.#display?.leave();
    this.#display = isSame ? this.#display! : new Kind(new OwnWindow(() => this.#anew()));
    this.#display.show(drawn);
  }

  output(bytes: Uint8Array): void {
    this.#display?.output(bytes);
  }

  /** The one place that is not the program's. */
  title(text: string): void {
    write(setTitle(text));
  }

  bell(): void {
    write('\x07');
  }

  leave(): void {
    if (!this.#isRaw) return;
    this.#isRaw = false;
    process.off('exit', this.#restore);
    try {
      this.#display?.leave();
      write(POP_TITLE);
    } finally {
      process.stdin.setRawMode(false);
      process.stdin.pause();
      process.stdin.removeAllListeners('data');
      process.stdout.removeAllListeners('resize');
    }
  }
}

/** The size is asked for each time: it changes. */
class OwnWindow implements TerminalWindow {
  get cols(): number {
    return process.stdout.columns;
  }

  get rows(): number {
    return process.stdout.rows;
  }

  readonly write = write;
  readonly redraw: () => void;

  constructor(redraw: () => void) {
    this.redraw = redraw;
  }
}

const write = (bytes: string | Uint8Array): void => {
  process.stdout.write(bytes);
};
