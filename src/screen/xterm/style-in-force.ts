/** The style in which text is printed, followed from one SGR sequence to the next by the emulator. */
import { isConcealed } from './concealed.ts';
import { type PrintingState, readPrinting, setPrinting } from './printing-state.ts';
import { openXterm, type Xterm } from './xterm.ts';

export class StyleInForce {
  readonly #xterm: Xterm = openXterm(2, 1);

  constructor(start: PrintingState | undefined) {
    if (start !== undefined) setPrinting(this.#xterm, start);
  }

  take(sgr: string): void {
    this.#xterm.core._inputHandler.parse(Buffer.from(sgr));
  }

  get isConcealed(): boolean {
    const { fg, bg } = this.#xterm.core._inputHandler._curAttrData;
    return isConcealed(fg, bg);
  }

  get printing(): PrintingState {
    return readPrinting(this.#xterm);
  }

  dispose(): void {
    this.#xterm.terminal.dispose();
  }
}
