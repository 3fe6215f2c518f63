/**
 * Shows a session that has another size than the person's window. Its output would wrap and scroll in
 * the wrong rows here, so it is written to a screen of the right size, and the window shows what fits.
 */

import { Screen } from '../../screen/screen.ts';
import type { ScreenModes } from '../../screen/sequences/modes.ts';
import type { DisplayWindow, ScreenDump, SessionDisplay } from './display.ts';
import {
  ALTERNATE_SCREEN_OFF,
  ALTERNATE_SCREEN_ON,
  CLEAR_SCREEN,
  resetModesSequence,
} from './restore-terminal.ts';
import { ScreenPainter } from './screen-painter.ts';

/** Faster than an eye can follow, and slow enough not to draw every chunk of a flood. */
const FRAME_MS = 20;

export class MirrorDisplay implements SessionDisplay {
  readonly #window: DisplayWindow;
  #screen: Screen | undefined;
  #painter: ScreenPainter | undefined;
  #timer: NodeJS.Timeout | undefined;
  /** The modes last written to the window. */
  #modes = '';

  constructor(window: DisplayWindow) {
    this.#window = window;
  }

  show({ dump, cols, rows }: ScreenDump): void {
    this.#window.write(`${this.#screen === undefined ? ALTERNATE_SCREEN_ON : ''}${CLEAR_SCREEN}`);
    this.#screen?.dispose();
    this.#screen = new Screen({ cols, rows });
    this.#screen.write(Buffer.from(dump));
    this.#painter = new ScreenPainter(this.#window);
    this.#paint();
  }

  output(bytes: Uint8Array): void {
    this.#screen?.write(bytes);
    this.#timer ??= setTimeout(() => this.#paint(), FRAME_MS);
  }

  restore(): void {
    clearTimeout(this.#timer);
    if (this.#screen === undefined) return;
    this.#screen.dispose();
    this.#window.write(`${resetModesSequence({ usedKittyKeys: false })}${ALTERNATE_SCREEN_OFF}`);
  }

  #paint(): void {
    this.#timer = undefined;
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
