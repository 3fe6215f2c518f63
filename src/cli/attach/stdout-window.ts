/** This process's own terminal, as a window to draw in. */
import type { DisplayWindow } from './display.ts';

export class StdoutWindow implements DisplayWindow {
  /** Rows at the bottom that are not drawn in. */
  rowsBelow = 0;
  readonly redraw: () => void;
  readonly mayCopy: boolean | undefined;

  constructor(redraw = () => {}, mayCopy?: boolean) {
    this.redraw = redraw;
    this.mayCopy = mayCopy;
  }

  // Getters, because the person may resize the window.
  get cols(): number {
    return process.stdout.columns;
  }

  get rows(): number {
    return process.stdout.rows - this.rowsBelow;
  }

  /** An arrow function: displays take it out of the object. */
  readonly write = (bytes: string | Uint8Array): void => {
    process.stdout.write(bytes);
  };
}
