/**
 * Shows a session that has another size than the person's window, above all because the status line takes
 * a row of it. Its output would wrap and scroll in the wrong rows here, so it is written to a screen of the
 * right size, and the window shows what fits.
 */

import { Screen } from '../../screen/screen.ts';
import { DrawingFilter } from '../../screen/sequences/drawing-filter.ts';
import type { ScreenModes } from '../../screen/sequences/modes.ts';
import { besideCells } from './beside-cells.ts';
import type { DisplayWindow, ScreenDump, SessionDisplay } from './display.ts';
import {
  ALTERNATE_SCREEN_OFF,
  ALTERNATE_SCREEN_ON,
  CLEAR_SCREEN,
  NO_WRAPPING,
  resetModesSequence,
} from './restore-terminal.ts';
import { ScreenPainter, screenAsLines } from './screen-painter.ts';

/** Faster than an eye can follow, and slow enough not to draw every chunk of a flood. */
const FRAME_MS = 20;
/** After a pause an echo is shown at once, but not half of what a program draws in two writes. */
const FIRST_FRAME_MS = 2;

export class MirrorDisplay implements SessionDisplay {
  readonly #window: DisplayWindow;
  #screen: Screen | undefined;
  #painter: ScreenPainter | undefined;
  #filter: DrawingFilter;
  #timer: NodeJS.Timeout | undefined;
  #paintedMs = 0;
  /** The modes last written to the window. */
  #modes = '';

  constructor(window: DisplayWindow) {
    this.#window = window;
    this.#filter = new DrawingFilter(window);
  }

  show({ dump, cols, rows }: ScreenDump): void {
    const { write } = this.#window;
    if (this.#screen === undefined) write(`${ALTERNATE_SCREEN_ON}${NO_WRAPPING}`);
    this.#screen?.dispose();
    this.#screen = new Screen({ cols, rows });
    this.#screen.write(Buffer.from(dump));
    this.#filter = new DrawingFilter(this.#window);
    write(`${CLEAR_SCREEN}${besideCells(this.#filter.filter(dump))}`);
    this.#painter = new ScreenPainter(this.#window);
    this.#paint();
  }

  output(bytes: Uint8Array): void {
    this.#screen?.write(bytes);
    const beside = besideCells(this.#filter.filter(bytes));
    if (beside !== '') this.#window.write(beside);
    const nextMs = Math.max(FIRST_FRAME_MS, this.#paintedMs + FRAME_MS - performance.now());
    this.#timer ??= setTimeout(() => this.#paint(), nextMs);
  }

  restore(): void {
    clearTimeout(this.#timer);
    if (this.#screen === undefined) return;
    this.#window.write(`${resetModesSequence(this.#filter)}${ALTERNATE_SCREEN_OFF}`);
    this.#screen.dispose();
  }

  leave(last: ScreenDump | undefined): void {
    if (last !== undefined) this.show(last);
    const lines = this.#remainingLines();
    this.restore();
    if (lines.length > 0) this.#window.write(`${lines.join('\r\n')}\r\n`);
  }

  #remainingLines(): string[] {
    if (this.#screen === undefined || this.#screen.modes.alternateScreen) return [];
    return screenAsLines(this.#screen, this.#window.cols);
  }

  #paint(): void {
    this.#timer = undefined;
    this.#paintedMs = performance.now();
    const { modes } = this.#screen!;
    const sequences = modeSequences(modes);
    if (sequences !== this.#modes) this.#window.write(sequences);
    this.#modes = sequences;
    this.#painter!.paint(this.#screen!);
  }
}

const mouseModes = { x10: '9', normal: '1000', button: '1002', any: '1003' } as const;

/** The modes that decide how the person's terminal reports keys, pastes and the mouse. */
const modeSequences = ({
  applicationCursor,
  bracketedPaste,
  focusEvents,
  mouse,
  mouseEncoding,
}: ScreenModes): string => {
  const setMode = (mode: string, on: boolean) => `\x1b[?${mode}${on ? 'h' : 'l'}`;
  return [
    setMode('1', applicationCursor),
    setMode('2004', bracketedPaste),
    setMode('1004', focusEvents),
    ...Object.entries(mouseModes).map(([name, mode]) => setMode(mode, name === mouse)),
    setMode('1006', mouseEncoding === 'sgr'),
  ].join('');
};
