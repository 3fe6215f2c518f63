/** What shows a session on a person's terminal: see direct.ts and mirror.ts. */
export interface DrawnScreen {
  /** Draws the screen as it is. */
  dump: string;
  cols: number;
  rows: number;
}

export interface TerminalWindow {
  cols: number;
  rows: number;
  write(bytes: string | Uint8Array): void;
  /** Asks for the whole screen anew. */
  redraw(): void;
}

export interface Display {
  /** The whole screen, at first or anew. */
  show(drawn: DrawnScreen): void;
  output(bytes: Uint8Array): void;
  /** The terminal as it was before, in all its modes. */
  leave(): void;
}
