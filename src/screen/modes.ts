/** What a program has switched on its terminal, and at which position it last switched it. */
import type { ModeName } from './events.ts';
import type { Core, Xterm } from './xterm.ts';

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

export interface Switch {
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

/** Compares the modes with those seen before; cheaper and surer than to watch every sequence. */
export class ModeSwitches {
  readonly #last: Partial<Record<ModeName, Switch>> = {};
  #modes: Modes;

  constructor(modes: Modes) {
    this.#modes = modes;
  }

  get last(): Readonly<Partial<Record<ModeName, Switch>>> {
    return this.#last;
  }

  /** The modes switched since the last call. */
  observe(modes: Modes, position: number): { mode: ModeName; on: boolean }[] {
    const switched = switchable.filter((name) => modes[name] !== this.#modes[name]);
    this.#modes = modes;
    return switched.map((mode) => {
      const on = mode === 'mouse' ? modes.mouse !== 'none' : modes[mode];
      this.#last[mode] = { on, position };
      return { mode, on };
    });
  }
}
