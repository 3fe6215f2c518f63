/**
 * A session whose screen has another size than the person's window: its output would wrap and scroll
 * elsewhere here, so a screen of the right size takes it, and the window shows what fits.
 */

import { Screen } from '../../screen/screen.ts';
import type { Modes } from '../../screen/sequences/modes.ts';
import type { Display, DrawnScreen, TerminalWindow } from './display.ts';
import { ALTERNATE_OFF, ALTERNATE_ON, CLEAR, resetModes } from './restore-terminal.ts';
import { ScreenPainter } from './screen-painter.ts';

/** Faster than an eye can follow, and slow enough to draw a flood once in a while only. */
const FRAME_MS = 20;

export class MirrorDisplay implements Display {
  readonly #window: TerminalWindow;
  #screen: Screen | undefined;
  #painter: ScreenPainter | undefined;
  #timer: NodeJS.Timeout | undefined;
  #modes = '';

  constructor(window: TerminalWindow) {
    this.#window = window;
  }

  show({ dump, cols, rows }: DrawnScreen): void {
    this.#window.write(`${this.#screen === undefined ? ALTERNATE_ON : ''}${CLEAR}`);
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

  leave(): void {
    clearTimeout(this.#timer);
    if (this.#screen === undefined) return;
    this.#screen.dispose();
    this.#window.write(`${resetModes({ usedKittyKeys: false })}${ALTERNATE_OFF}`);
  }

  #paint(): void {
    this.#timer = undefined;
    const { modes } = this.#screen!;
    const wanted = modesAsBytes(modes);
    if (wanted !== this.#modes) this.#window.write(wanted);
    this.#modes = wanted;
    this.#painter!.paint(this.#screen!);
  }
}

const mouseModes = { none: '', x10: '9', normal: '1000', button: '1002', any: '1003' } as const;

/** What decides how the person's terminal tells keys, pastes and the mouse. */
const modesAsBytes = ({
  applicationCursor,
  bracketedPaste,
  focusEvents,
  mouse,
  mouseEncoding,
}: Modes): string => {
  const turned = (mode: string, on: boolean) => `\x1b[?${mode}${on ? 'h' : 'l'}`;
  const mice = Object.entries(mouseModes).filter(([, mode]) => mode !== '');
  return [
    turned('1', applicationCursor),
    turned('2004', bracketedPaste),
    turned('1004', focusEvents),
    ...mice.map(([name, mode]) => turned(mode, name === mouse)),
    turned('1006', mouseEncoding === 'sgr'),
  ].join('');
};
