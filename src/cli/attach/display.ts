/** The interfaces of direct-display.ts and mirror-display.ts, which show a session on a terminal. */
export interface ScreenDump {
  /** Output that draws the screen as it is. */
  dump: string;
  cols: number;
  rows: number;
}

export interface DisplayWindow {
  cols: number;
  rows: number;
  /** Whether a program may set the person's clipboard. */
  readonly mayCopy: boolean | undefined;
  write(bytes: string | Uint8Array): void;
  /** Requests the whole screen again: `show` will be called. */
  redraw(): void;
}

export interface SessionDisplay {
  /** Draws the whole screen. */
  show(screen: ScreenDump): void;
  output(bytes: Uint8Array): void;
  /** Puts the terminal and its modes back as they were. */
  restore(): void;
  /**
   * The same when the person leaves: what is on the session's normal screen stays in the terminal, and the
   * cursor is below it. `last`: the screen as it is now, if that is known.
   */
  leave(last: ScreenDump | undefined): void;
}
