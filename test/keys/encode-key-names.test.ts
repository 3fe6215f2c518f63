import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { encodeKeyNames } from '../../src/keys/encode-key-names.ts';
import type { KeyInputModes } from '../../src/keys/input-writes.ts';
import { type KeyName, keyNameAliases, keySequences } from '../../src/keys/sequences.ts';
import { testWith } from '../helpers/needs.ts';
import { seeded } from '../helpers/seeded.ts';

const plain: KeyInputModes = {
  cols: 120,
  rows: 40,
  applicationCursor: false,
  bracketedPaste: false,
  mouse: 'none',
  mouseEncoding: 'default',
};
const application = { ...plain, applicationCursor: true };

const bytesOf = (keys: string, modes: KeyInputModes = plain) =>
  Buffer.concat(encodeKeyNames(keys, modes).map(({ bytes }) => bytes)).toString();

describe('keys', () => {
  test.each([
    ['C-c', '\x03'],
    ['C-C', '\x03'],
    ['Ctrl-C', '\x03'],
    ['Ctrl+C', '\x03'],
    ['ctrl-c', '\x03'],
    ['Control-c', '\x03'],
    ['^C', '\x03'],
    ['^c', '\x03'],
    ['<C-c>', '\x03'],
    ['\x03', '\x03'],
    ['\\x03', '\x03'],
    ['\\u0003', '\x03'],
    ['C-d', '\x04'],
    ['EOF', '\x04'],
    ['C-@', '\0'],
    ['C-Space', '\0'],
    ['C-[', '\x1b'],
    ['C-\\', '\x1c'],
    ['C-]', '\x1d'],
    ['C-^', '\x1e'],
    ['C-_', '\x1f'],
    ['C-/', '\x1f'],
    ['C-?', '\x7f'],
    ['^[', '\x1b'],
    ['^?', '\x7f'],
    ['C-Backspace', '\b'],

    ['q', 'q'],
    ['G', 'G'],
    [':', ':'],
    ['^', '^'],
    ['-', '-'],
    ['+', '+'],
    ['<', '<'],
    ['>', '>'],
    ['\\', '\\'],
    ['(', '('],
    ['é', 'é'],
    ['中', '中'],
    ['😀', '😀'],
    ['S-g', 'G'],
    ['<lt>', '<'],

    ['Enter', '\r'],
    ['<Enter>', '\r'],
    ['ENTER', '\r'],
    ['Return', '\r'],
    ['<CR>', '\r'],
    ['\r', '\r'],
    ['\n', '\n'],
    ['Escape', '\x1b'],
    ['Esc', '\x1b'],
    ['Tab', '\t'],
    ['Space', ' '],
    [' ', ' '],
    ['Backspace', '\x7f'],
    ['BSpace', '\x7f'],
    ['Delete', '\x1b[3~'],
    ['S-Tab', '\x1b[Z'],
    ['Shift+Tab', '\x1b[Z'],
    ['BTab', '\x1b[Z'],

    ['M-x', '\x1bx'],
    ['M-X', '\x1bX'],
    ['Alt+x', '\x1bx'],
    ['A-x', '\x1bx'],
    ['Meta-x', '\x1bx'],
    ['M--', '\x1b-'],
    ['M-Enter', '\x1b\r'],
    ['M-Backspace', '\x1b\x7f'],
    ['C-M-x', '\x1b\x18'],
    ['M-C-x', '\x1b\x18'],

    ['Up', '\x1b[A'],
    ['ArrowUp', '\x1b[A'],
    ['arrow-up', '\x1b[A'],
    ['Home', '\x1b[H'],
    ['End', '\x1b[F'],
    ['PageUp', '\x1b[5~'],
    ['Page_Down', '\x1b[6~'],
    ['PgDn', '\x1b[6~'],
    ['F1', '\x1bOP'],
    ['f5', '\x1b[15~'],
    ['F12', '\x1b[24~'],
    ['C-Left', '\x1b[1;5D'],
    ['C-M-Left', '\x1b[1;7D'],
    ['ctrl+shift+left', '\x1b[1;6D'],
    ['S-Up', '\x1b[1;2A'],
    ['M-F1', '\x1b[1;3P'],
    ['C-Delete', '\x1b[3;5~'],
    ['S-F5', '\x1b[15;2~'],
    ['\x1b[A', '\x1b[A'],
    ['\\e[A', '\x1b[A'],

    ['', ''],
    ['Up Up Enter', '\x1b[A\x1b[A\r'],
    ['Tab  Tab ', '\t\t'],
    ['   ', '   '],
    ['C-x C-s', '\x18\x13'],
    ['<C-x><C-s>', '\x18\x13'],
    ['<Esc>:wq<CR>', '\x1b:wq\r'],
    ['g g d G', 'ggdG'],
  ])('%j is %j', (keys, bytes) => {
    expect(bytesOf(keys)).toBe(bytes);
  });

  test.each([
    ['Up', '\x1bOA'],
    ['Left', '\x1bOD'],
    ['Home', '\x1bOH'],
    ['End', '\x1bOF'],
    ['C-Up', '\x1b[1;5A'],
    ['PageUp', '\x1b[5~'],
    ['F1', '\x1bOP'],
  ])('%s is %j in application cursor mode', (keys, bytes) => {
    expect(bytesOf(keys, application)).toBe(bytes);
  });

  test.each([
    ['Entr', 'Enter'],
    ['Escpae', 'Escape'],
    ['PageDwn', 'PageDown'],
    ['C-Lfet', 'Left'],
    ['F13', 'F1'],
    ['Click', 'Click(col,row)'],
    ['Click(5)', 'Click(col,row)'],
    ['Click(five,six)', 'Click(col,row)'],
    ['WheelDown', 'WheelDown(col,row)'],
    [':wq', undefined],
    ['C-', undefined],
    ['constructor', undefined],
    ['Up,Up,Enter', undefined],
  ])('%s is no key, and the nearest is %s', (keys, nearest) => {
    const details = nearest ? { key: keys, nearest } : { key: keys };
    expect(() => encodeKeyNames(keys, plain)).toThrow(
      expect.objectContaining({ code: 'UNKNOWN_KEY', details }),
    );
  });

  test.each([
    ['C-Enter', 'Enter'],
    ['S-Enter', 'Enter'],
    ['C-Tab', 'Tab'],
    ['C-S-Tab', 'Tab'],
    ['C-S-c', 'C-c'],
    ['C-1', '1'],
    ['C-;', ';'],
    ['C-M-é', 'M-é'],
    ['S-1', '1'],
    ['S-Space', 'Space'],
  ])('%s has no code in a terminal, and is refused rather than sent as %s', (keys, instead) => {
    expect(() => encodeKeyNames(keys, plain)).toThrow(
      expect.objectContaining({ code: 'UNTYPABLE_KEY', details: { key: keys, instead } }),
    );
  });

  test('each key is a write of its own, and says what it is', () => {
    expect(encodeKeyNames('Escape : Up Enter', plain).map(({ kind }) => kind)).toEqual([
      'escape',
      'text',
      'key',
      'enter',
    ]);
  });

  test('every alias is written as it is looked up: lower case, no "-" and no "_"', () => {
    for (const alias of Object.keys(keyNameAliases)) expect(alias).toMatch(/^[a-z]+$/);
  });

  test('the names of keys are known in any case, in brackets and out', () => {
    for (const name of [...Object.keys(keySequences), ...Object.keys(keyNameAliases)]) {
      const bytes = bytesOf(name);
      expect(bytesOf(`<${name}>`)).toBe(bytes);
      expect(bytesOf(name.toUpperCase())).toBe(bytes);
    }
  });

  test('whatever is written, it is encoded or refused with a code', () => {
    const { below, list, pick } = seeded(3);
    const parts = ['C-', 'M+', 'S-', '<', '>', '^', '\\', 'x03', 'e', '(', ')', ',', '1', ' '];
    const names = [
      ...Object.keys(keySequences),
      'Click',
      'Drag',
      '\x1b',
      '\n',
      '😀',
      '\ud800',
      'é',
    ];
    for (let round = 0; round < 5000; round++) {
      const keys = list(6, () => pick(below(2) ? parts : names)).join('');
      try {
        const writes = encodeKeyNames(keys, application);
        expect(writes.every(({ bytes }) => bytes.length > 0)).toBe(true);
      } catch (error) {
        expect(error, keys).toHaveProperty('code');
      }
    }
  });

  // Terminfo describes the keys in application mode; programs switch it on first (smkx).
  testWith('infocmp')('every key has the code that terminfo promises to programs', () => {
    const capabilities: Partial<Record<string, KeyName | `${'S' | 'C'}-${KeyName}`>> = {
      kcuu1: 'Up',
      kcud1: 'Down',
      kcuf1: 'Right',
      kcub1: 'Left',
      khome: 'Home',
      kend: 'End',
      kich1: 'Insert',
      kdch1: 'Delete',
      kpp: 'PageUp',
      knp: 'PageDown',
      kcbt: 'S-Tab',
      kbs: 'Backspace',
      kLFT: 'S-Left',
      kLFT5: 'C-Left',
      kRIT5: 'C-Right',
      kUP5: 'C-Up',
      kHOM5: 'C-Home',
      kDC5: 'C-Delete',
      kPRV5: 'C-PageUp',
      ...Object.fromEntries(Array.from({ length: 12 }, (_, i) => [`kf${i + 1}`, `F${i + 1}`])),
    };
    const listing = execFileSync('infocmp', ['-1', '-x', 'xterm-256color'], { encoding: 'utf8' });
    const promised = Object.fromEntries(
      [...listing.matchAll(/^\t(k\w+)=(.*),$/gm)]
        .filter(([, capability]) => capability! in capabilities)
        .map(([, capability, code]) => [capability, code]),
    );
    const sent = Object.fromEntries(
      Object.entries(capabilities).map(([capability, key]) => [
        capability,
        bytesOf(key!, application).replaceAll('\x1b', '\\E').replaceAll('\x7f', '^?'),
      ]),
    );
    expect(sent).toEqual(promised);
  });
});
