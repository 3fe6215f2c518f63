import { describe, expect, test } from 'vitest';
import { encodeKeyNames } from '../../src/keys/encode-key-names.ts';
import type { KeyInputModes } from '../../src/keys/input-writes.ts';

type Mouse = Pick<KeyInputModes, 'mouse' | 'mouseEncoding'>;
const modesWith = (mouse: Mouse, cols = 300, rows = 100): KeyInputModes => ({
  cols,
  rows,
  applicationCursor: false,
  bracketedPaste: false,
  ...mouse,
});

const sgr = (mouse: KeyInputModes['mouse']): Mouse => ({ mouse, mouseEncoding: 'sgr' });
const legacy = (mouse: KeyInputModes['mouse']): Mouse => ({ mouse, mouseEncoding: 'default' });

const reports = (keys: string, mouse: Mouse) =>
  Buffer.concat(encodeKeyNames(keys, modesWith(mouse)).map(({ bytes }) => bytes)).toString(
    'latin1',
  );

describe('the mouse', () => {
  test.each<[keys: string, Mouse, reports: string]>([
    ['Click(10,5)', sgr('normal'), '\x1b[<0;10;5M\x1b[<0;10;5m'],
    ['click(10, 5)', sgr('any'), '\x1b[<0;10;5M\x1b[<0;10;5m'],
    ['LeftClick(10,5)', sgr('any'), '\x1b[<0;10;5M\x1b[<0;10;5m'],
    ['MiddleClick(1,1)', sgr('normal'), '\x1b[<1;1;1M\x1b[<1;1;1m'],
    ['RightClick(300,100)', sgr('normal'), '\x1b[<2;300;100M\x1b[<2;300;100m'],
    ['DoubleClick(2,3)', sgr('normal'), '\x1b[<0;2;3M\x1b[<0;2;3m\x1b[<0;2;3M\x1b[<0;2;3m'],
    ['C-Click(2,3)', sgr('normal'), '\x1b[<16;2;3M\x1b[<16;2;3m'],
    ['M-S-RightClick(2,3)', sgr('normal'), '\x1b[<14;2;3M\x1b[<14;2;3m'],
    ['Drag(1,2,8,2)', sgr('button'), '\x1b[<0;1;2M\x1b[<32;8;2M\x1b[<0;8;2m'],
    ['Drag(1,2,8,2)', sgr('normal'), '\x1b[<0;1;2M\x1b[<0;8;2m'],
    ['WheelUp(4,4)', sgr('normal'), '\x1b[<64;4;4M'],
    ['ScrollDown(4,4)', sgr('normal'), '\x1b[<65;4;4M'],
    ['Click(1,1) Enter', sgr('normal'), '\x1b[<0;1;1M\x1b[<0;1;1m\r'],

    ['Click(10,5)', legacy('normal'), '\x1b[M \x2a\x25\x1b[M#\x2a\x25'],
    ['RightClick(223,1)', legacy('normal'), '\x1b[M"\xff!\x1b[M#\xff!'],
    ['C-Click(1,1)', legacy('normal'), '\x1b[M0!!\x1b[M3!!'],
    ['WheelDown(1,1)', legacy('button'), '\x1b[Ma!!'],
    ['Drag(1,1,2,1)', legacy('any'), '\x1b[M !!\x1b[M@"!\x1b[M#"!'],

    ['Click(1,1)', legacy('x10'), '\x1b[M !!'],
    ['C-RightClick(1,1)', legacy('x10'), '\x1b[M"!!'],
    ['DoubleClick(1,1)', legacy('x10'), '\x1b[M !!\x1b[M !!'],
  ])('%s is reported to a program that asked for %o as %j', (keys, mouse, expected) => {
    expect(reports(keys, mouse)).toBe(expected);
  });

  test.each<[keys: string, Mouse]>([
    ['Click(10,5)', sgr('none')],
    ['WheelUp(1,1)', legacy('x10')],
    ['Drag(1,1,2,2)', legacy('x10')],
  ])('%s is refused where the program asked for %o', (keys, mouse) => {
    expect(() => reports(keys, mouse)).toThrow(
      expect.objectContaining({
        code: 'MOUSE_NOT_ASKED',
        details: { action: keys, mouse: mouse.mouse },
      }),
    );
  });

  test.each<[keys: string, Mouse, cols: number]>([
    ['Click(0,5)', sgr('normal'), 300],
    ['Click(301,5)', sgr('normal'), 300],
    ['Click(5,101)', sgr('normal'), 300],
    ['Drag(1,1,301,5)', sgr('normal'), 300],
    ['Click(224,5)', legacy('normal'), 223],
  ])('%s is refused: no such cell', (keys, mouse, cols) => {
    expect(() => reports(keys, mouse)).toThrow(
      expect.objectContaining({
        code: 'MOUSE_OUTSIDE',
        details: { action: keys, cols, rows: 100 },
      }),
    );
  });
});
