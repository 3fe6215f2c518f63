/** What a program has switched on its terminal, and at which position it last switched it. */

import type { Core, Xterm } from '../xterm/xterm.ts';
import type { ModeName } from './screen-events.ts';

/** Contains what src/keys needs to know to encode a key. */
export interface Modes {
  cols: number;
  rows: number;
  applicationCursor: boolean;
  bracketedPaste: boolean;
  alternateScreen: boolean;
  cursorVisible: boolean;
  focusEvents: boolean;
  /** The program is in the middle of drawing, and asks not to be looked at. */
  synchronizedOutput: boolean;
  mouse: 'none' | 'x10' | 'normal' | 'button' | 'any';
  mouseEncoding: 'default' | 'sgr';
}

const mouse = { NONE: 'none', X10: 'x10', VT200: 'normal', DRAG: 'button', ANY: 'any' } as const;

export const readModes = ({ terminal, core }: Xterm): Modes => {
  const { decPrivateModes, isCursorHidden } = core.coreService;
  const { activeProtocol, activeEncoding } = core.coreMouseService;
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    applicationCursor: decPrivateModes.applicationCursorKeys,
    bracketedPaste: decPrivateModes.bracketedPasteMode,
    alternateScreen: isAlternate(core),
    cursorVisible: !isCursorHidden,
    focusEvents: decPrivateModes.sendFocus,
    synchronizedOutput: decPrivateModes.synchronizedOutput,
    mouse: mouse[activeProtocol as keyof typeof mouse] ?? 'none',
    mouseEncoding: activeEncoding === 'DEFAULT' ? 'default' : 'sgr',
  };
};

export const isAlternate = ({ buffers }: Core): boolean => buffers.active === buffers.alt;

export interface ModeSwitch {
  on: boolean;
  position: number;
}

const switchable: readonly ModeName[] = [
  'bracketedPaste',
  'applicationCursor',
  'alternateScreen',
  'cursorVisible',
  'focusEvents',
  'synchronizedOutput',
  'mouse',
];

/** Compares the modes with those seen before, which is surer than to watch every sequence. */
export class ModeSwitches {
  readonly #xterm: Xterm;
  readonly #last: Partial<Record<ModeName, ModeSwitch>> = {};
  #modes: Modes;
  #fingerprint: number;

  constructor(xterm: Xterm) {
    this.#xterm = xterm;
    this.#modes = readModes(xterm);
    this.#fingerprint = fingerprint(xterm.core);
  }

  get last(): Readonly<Partial<Record<ModeName, ModeSwitch>>> {
    return this.#last;
  }

  /** The modes switched since the last call. */
  observe(position: number): { mode: ModeName; on: boolean }[] {
    const now = fingerprint(this.#xterm.core);
    if (now === this.#fingerprint) return [];
    this.#fingerprint = now;
    const modes = readModes(this.#xterm);
    const switched = switchable.filter((name) => modes[name] !== this.#modes[name]);
    this.#modes = modes;
    return switched.map((mode) => {
      const on = mode === 'mouse' ? modes.mouse !== 'none' : modes[mode];
      this.#last[mode] = { on, position };
      return { mode, on };
    });
  }
}

const protocols = Object.keys(mouse);

/** A number that differs when a mode does: asked for after every sequence, so it has to be cheap. */
function fingerprint(core: Core): number {
  const { decPrivateModes: modes, isCursorHidden } = core.coreService;
  return (
    Number(modes.bracketedPasteMode) |
    (Number(modes.applicationCursorKeys) << 1) |
    (Number(isAlternate(core)) << 2) |
    (Number(isCursorHidden) << 3) |
    (Number(modes.sendFocus) << 4) |
    (Number(modes.synchronizedOutput) << 5) |
    (protocols.indexOf(core.coreMouseService.activeProtocol) << 6)
  );
}
