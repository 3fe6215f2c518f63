/**
 * Encodes mouse actions as the reports that a terminal sends to a program that asked for them.
 *
 * Cells count from 1, as in the screen facts of a result and in the protocol. See "Mouse
 * Tracking" in https://invisible-island.net/xterm/ctlseqs/ctlseqs.html.
 */
import { MouseNotAsked, MouseOutside } from '../errors.ts';
import type { KeyInputModes } from './input-writes.ts';
import { type KeyModifiers, splitKeyModifiers } from './key-press.ts';

interface Action {
  button: number;
  gesture: 'click' | 'double-click' | 'drag' | 'wheel';
}

interface Cell {
  col: number;
  row: number;
}

export type MouseAction = Action & {
  modifiers: KeyModifiers;
  notation: string;
  from: Cell;
  to: Cell;
};

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

/** The notation of each action, by its name. */
export const mouseSyntaxHelp: ReadonlyMap<string, string> = new Map(
  Object.entries(actions).map(([name, { gesture }]) => [
    name,
    `${name}(${gesture === 'drag' ? 'col,row,col,row' : 'col,row'})`,
  ]),
);

const actionsByName = new Map(
  Object.entries(actions).map(([name, action]) => [name.toLowerCase(), action]),
);

/** Parses "C-Click(10,5)". Undefined if it is not a mouse action. */
export function parseMouse(notation: string): MouseAction | undefined {
  const [modifiers, rest] = splitKeyModifiers(notation);
  const [, name, list] = /^([a-z]+)\(( *\d+ *(?:, *\d+ *)*)\)$/i.exec(rest) ?? [];
  const action = actionsByName.get(name?.toLowerCase() ?? '');
  const numbers = list?.split(',').map(Number) ?? [];
  if (!action || numbers.length !== (action.gesture === 'drag' ? 4 : 2)) return undefined;

  const from = { col: numbers[0]!, row: numbers[1]! };
  const to = action.gesture === 'drag' ? { col: numbers[2]!, row: numbers[3]! } : from;
  return { ...action, modifiers, notation, from, to };
}

export function encodeMouse(action: MouseAction, modes: KeyInputModes): Uint8Array {
  const { gesture, button, notation, from, to } = action;
  const { mouse } = modes;
  // Mode 9 reports pressed buttons only: no release, no wheel.
  const isUnsupported = mouse === 'x10' && (gesture === 'wheel' || gesture === 'drag');
  if (mouse === 'none' || isUnsupported) throw new MouseNotAsked(notation, mouse);
  const limit = modes.mouseEncoding === 'default' ? MAX_ONE_BYTE_CELL : Number.POSITIVE_INFINITY;
  const cols = Math.min(modes.cols, limit);
  const rows = Math.min(modes.rows, limit);
  for (const { col, row } of [from, to]) {
    const isInside = col >= 1 && row >= 1 && col <= cols && row <= rows;
    if (!isInside) throw new MouseOutside(notation, cols, rows);
  }

  const modifiers = mouse === 'x10' ? 0 : modifierBits(action.modifiers);
  const press = report(modes, button + modifiers, from, 'press');
  if (gesture === 'wheel' || mouse === 'x10') {
    return Buffer.concat(gesture === 'double-click' ? [press, press] : [press]);
  }
  const release = report(modes, button + modifiers, to, 'release');
  const hasMotion = gesture === 'drag' && mouse !== 'normal';
  const motion = hasMotion ? [report(modes, button + modifiers + MOTION, to, 'press')] : [];
  const click = [press, ...motion, release];
  return Buffer.concat(gesture === 'double-click' ? [...click, ...click] : click);
}

const MOTION = 32;

/** The default encoding adds 32 to each number to avoid control characters. */
const ONE_BYTE_OFFSET = 32;
const MAX_ONE_BYTE_CELL = 255 - ONE_BYTE_OFFSET;

const modifierBits = ({ shift, alt, control }: KeyModifiers) =>
  4 * Number(shift) + 8 * Number(alt) + 16 * Number(control);

function report(
  modes: KeyInputModes,
  code: number,
  { col, row }: Cell,
  event: 'press' | 'release',
) {
  if (modes.mouseEncoding === 'sgr') {
    return Buffer.from(`\x1b[<${code};${col};${row}${event === 'press' ? 'M' : 'm'}`);
  }
  // This encoding does not report which button was released: 3 stands for any.
  const button = event === 'press' ? code : code | 3;
  return Buffer.from([0x1b, 0x5b, 0x4d, ...[button, col, row].map((n) => n + ONE_BYTE_OFFSET)]);
}
