/**
 * Mouse actions as the reports a terminal sends for them, where the program asked for reports.
 *
 * Cells count from 1, as in a result's screen facts and in the protocol itself. See "Mouse
 * Tracking" in https://invisible-island.net/xterm/ctlseqs/ctlseqs.html.
 */
import { MouseNotAsked, MouseOutside } from '../errors.ts';
import type { InputModes } from './input.ts';
import { type Modifiers, splitModifiers } from './key.ts';

interface Action {
  button: number;
  gesture: 'click' | 'double-click' | 'drag' | 'wheel';
}

interface Cell {
  col: number;
  row: number;
}

export type MouseAction = Action & { modifiers: Modifiers; written: string; from: Cell; to: Cell };

const wheelUp: Action = { button: 64, gesture: 'wheel' };
const wheelDown: Action = { button: 65, gesture: 'wheel' };

const actions: Readonly<Record<string, Action>> = {
  Click: { button: 0, gesture: 'click' },
  LeftClick: { button: 0, gesture: 'click' },
  MiddleClick: { button: 1, gesture: 'click' },
  RightClick: { button: 2, gesture: 'click' },
  DoubleClick: { button: 0, gesture: 'double-click' },
  Drag: { button: 0, gesture: 'drag' },
  WheelUp: wheelUp,
  WheelDown: wheelDown,
  ScrollUp: wheelUp,
  ScrollDown: wheelDown,
};

/** How each action is written, by its name. */
export const mouseUsage: ReadonlyMap<string, string> = new Map(
  Object.entries(actions).map(([name, { gesture }]) => [
    name,
    `${name}(${gesture === 'drag' ? 'col,row,col,row' : 'col,row'})`,
  ]),
);

const byName = new Map(
  Object.entries(actions).map(([name, action]) => [name.toLowerCase(), action]),
);

/** "C-Click(10,5)"; undefined if it is not written like that. */
export function parseMouse(written: string): MouseAction | undefined {
  const [modifiers, rest] = splitModifiers(written);
  const [, name, list] = /^([a-z]+)\(( *\d+ *(?:, *\d+ *)*)\)$/i.exec(rest) ?? [];
  const action = byName.get(name?.toLowerCase() ?? '');
  const numbers = list?.split(',').map(Number) ?? [];
  if (!action || numbers.length !== (action.gesture === 'drag' ? 4 : 2)) return undefined;

  const from = { col: numbers[0]!, row: numbers[1]! };
  const to = action.gesture === 'drag' ? { col: numbers[2]!, row: numbers[3]! } : from;
  return { ...action, modifiers, written, from, to };
}

export function encodeMouse(action: MouseAction, modes: InputModes): Uint8Array {
  const { gesture, button, written, from, to } = action;
  const { mouse } = modes;
  // Mode 9 knows of pressed buttons only: no release, no wheel.
  const unheard = mouse === 'x10' && (gesture === 'wheel' || gesture === 'drag');
  if (mouse === 'none' || unheard) throw new MouseNotAsked(written, mouse);
  const limit = modes.mouseEncoding === 'default' ? ONE_BYTE_CELLS : Number.POSITIVE_INFINITY;
  const cols = Math.min(modes.cols, limit);
  const rows = Math.min(modes.rows, limit);
  for (const { col, row } of [from, to]) {
    const inside = col >= 1 && row >= 1 && col <= cols && row <= rows;
    if (!inside) throw new MouseOutside(written, cols, rows);
  }

  const modifiers = mouse === 'x10' ? 0 : modifierBits(action.modifiers);
  const press = report(modes, button + modifiers, from, 'press');
  if (gesture === 'wheel' || mouse === 'x10') {
    return Buffer.concat(gesture === 'double-click' ? [press, press] : [press]);
  }
  const release = report(modes, button + modifiers, to, 'release');
  const moved = gesture === 'drag' && mouse !== 'normal';
  const motion = moved ? [report(modes, button + modifiers + MOTION, to, 'press')] : [];
  const once = [press, ...motion, release];
  return Buffer.concat(gesture === 'double-click' ? [...once, ...once] : once);
}

const MOTION = 32;

/** The default encoding adds 32 to each number to keep clear of control characters. */
const ONE_BYTE_OFFSET = 32;
const ONE_BYTE_CELLS = 255 - ONE_BYTE_OFFSET;

const modifierBits = ({ shift, alt, control }: Modifiers) =>
  4 * Number(shift) + 8 * Number(alt) + 16 * Number(control);

function report(modes: InputModes, code: number, { col, row }: Cell, what: 'press' | 'release') {
  if (modes.mouseEncoding === 'sgr') {
    return Buffer.from(`\x1b[<${code};${col};${row}${what === 'press' ? 'M' : 'm'}`);
  }
  // Which button was released is not told: 3 stands for any.
  const button = what === 'press' ? code : code | 3;
  return Buffer.from([0x1b, 0x5b, 0x4d, ...[button, col, row].map((n) => n + ONE_BYTE_OFFSET)]);
}
