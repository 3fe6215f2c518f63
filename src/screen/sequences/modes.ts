/** The modes that a program has switched on, and the position of the last switch of each. */

import type { ScreenSnapshot } from '../screen-snapshot.ts';
import type { Xterm, XtermCore } from '../xterm/xterm.ts';
import type { ModeName } from './screen-events.ts';

/** Includes the modes that src/keys needs to encode a key. */
export interface ScreenModes {
  cols: number;
  rows: number;
  applicationCursor: boolean;
  bracketedPaste: boolean;
  alternateScreen: boolean;
  cursorVisible: boolean;
  focusEvents: boolean;
  /** The program is in the middle of drawing, so the screen is incomplete. */
  synchronizedOutput: boolean;
  mouse: 'none' | 'x10' | 'normal' | 'button' | 'any';
  mouseEncoding: 'default' | 'sgr';
}

const mouseProtocols = {
  NONE: 'none',
  X10: 'x10',
  VT200: 'normal',
  DRAG: 'button',
  ANY: 'any',
} as const;

export const readScreenModes = ({ terminal, core }: Xterm): ScreenModes => {
  const { decPrivateModes, isCursorHidden } = core.coreService;
  const { activeProtocol, activeEncoding } = core.coreMouseService;
  return {
    cols: terminal.cols,
    rows: terminal.rows,
    applicationCursor: decPrivateModes.applicationCursorKeys,
    bracketedPaste: decPrivateModes.bracketedPasteMode,
    alternateScreen: isAlternateScreen(core),
    cursorVisible: !isCursorHidden,
    focusEvents: decPrivateModes.sendFocus,
    synchronizedOutput: decPrivateModes.synchronizedOutput,
    mouse: mouseProtocols[activeProtocol as keyof typeof mouseProtocols] ?? 'none',
    mouseEncoding: activeEncoding === 'DEFAULT' ? 'default' : 'sgr',
  };
};

export const isAlternateScreen = ({ buffers }: XtermCore): boolean =>
  buffers.active === buffers.alt;

export interface ModeSwitch {
  on: boolean;
  position: number;
}

const modeNames: readonly ModeName[] = [
  'bracketedPaste',
  'applicationCursor',
  'alternateScreen',
  'cursorVisible',
  'focusEvents',
  'synchronizedOutput',
  'mouse',
];

/** Compares the modes with those seen before, which is safer than watching every sequence. */
export class ModeSwitches {
  readonly #xterm: Xterm;
  readonly #last: Partial<Record<ModeName, ModeSwitch>> = {};
  #modes: ScreenModes;
  #fingerprint: number;

  constructor(xterm: Xterm) {
    this.#xterm = xterm;
    this.#modes = readScreenModes(xterm);
    this.#fingerprint = fingerprint(xterm.core);
  }

  get last(): Readonly<Partial<Record<ModeName, ModeSwitch>>> {
    return this.#last;
  }

  /** Call this when the emulator is restored: its modes now are not switches. */
  restore(last: ScreenSnapshot['switches']): void {
    Object.assign(this.#last, last);
    this.#modes = readScreenModes(this.#xterm);
    this.#fingerprint = fingerprint(this.#xterm.core);
  }

  /** The modes switched since the last call. */
  observe(position: number): { mode: ModeName; on: boolean }[] {
    const now = fingerprint(this.#xterm.core);
    if (now === this.#fingerprint) return [];
    this.#fingerprint = now;
    const modes = readScreenModes(this.#xterm);
    const switched = modeNames.filter((name) => modes[name] !== this.#modes[name]);
    this.#modes = modes;
    return switched.map((mode) => {
      const on = mode === 'mouse' ? modes.mouse !== 'none' : modes[mode];
      this.#last[mode] = { on, position };
      return { mode, on };
    });
  }
}

const protocolNames = Object.keys(mouseProtocols);

/** A number that changes when a mode does. Computed after every sequence, so it must be cheap. */
function fingerprint(core: XtermCore): number {
  const { decPrivateModes: modes, isCursorHidden } = core.coreService;
  return (
    Number(modes.bracketedPasteMode) |
    (Number(modes.applicationCursorKeys) << 1) |
    (Number(isAlternateScreen(core)) << 2) |
    (Number(isCursorHidden) << 3) |
    (Number(modes.sendFocus) << 4) |
    (Number(modes.synchronizedOutput) << 5) |
    (protocolNames.indexOf(core.coreMouseService.activeProtocol) << 6)
  );
}
