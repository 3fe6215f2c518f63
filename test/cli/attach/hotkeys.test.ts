import { describe, expect, test } from 'vitest';
import { HotkeyParser } from '../../../src/cli/attach/hotkeys.ts';

const parsed = (...chunks: string[]) => {
  const hotkeys = new HotkeyParser();
  return chunks
    .flatMap((chunk) => hotkeys.parse(Buffer.from(chunk)))
    .map((keys) => ('bytes' in keys ? keys.bytes.toString() : `<${keys.hotkey}>`));
};

describe('Ctrl-\\', () => {
  test('and d detaches, and t takes the keyboard or gives it back', () => {
    expect(parsed('\x1cd')).toEqual(['<detach>']);
    expect(parsed('ls\r', '\x1c', 't', 'x')).toEqual(['ls\r', '<keyboard>', 'x']);
  });

  test('twice is typed once', () => {
    expect(parsed('\x1c\x1c').join('')).toBe('\x1c');
  });

  test('alone waits for the next key', () => {
    expect(parsed('\x1c')).toEqual([]);
  });

  test.each([
    ['a letter', 'z'],
    ['an arrow', '\x1b[A'],
    ['a function key', '\x1bOP'],
    ['Alt and a letter', '\x1bx'],
    ['a letter of two bytes', 'é'],
    ['Ctrl-C', '\x03'],
  ])('before %s is ignored with it, and nothing is typed', (_, key) => {
    expect(parsed(`a\x1c${key}b`)).toEqual(['a', '<unknown>', 'b']);
    expect(parsed('a\x1c', key, 'b')).toEqual(['a', '<unknown>', 'b']);
  });

  test('is known in the codes of kitty and of xterm, too', () => {
    expect(parsed('\x1b[92;5u\x1b[100u')).toEqual(['<detach>']);
    expect(parsed('\x1b[27;5;92~d')).toEqual(['<detach>']);
  });

  test('leaves every other byte as it is', () => {
    const bytes = Buffer.from(
      Array.from({ length: 256 }, (_, byte) => byte).filter((byte) => byte !== 0x1c),
    );
    const [all] = new HotkeyParser().parse(bytes);
    expect(all).toEqual({ bytes });
  });
});
