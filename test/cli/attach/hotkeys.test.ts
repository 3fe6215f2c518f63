import { describe, expect, test } from 'vitest';
import { Hotkeys } from '../../../src/cli/attach/hotkeys.ts';

const pressed = (...chunks: string[]) => {
  const hotkeys = new Hotkeys();
  return chunks
    .flatMap((chunk) => hotkeys.take(Buffer.from(chunk)))
    .map((it) => ('bytes' in it ? it.bytes.toString() : `<${it.hotkey}>`));
};

describe('Ctrl-\\', () => {
  test('and d detaches, and t takes the keyboard or gives it back', () => {
    expect(pressed('\x1cd')).toEqual(['<detach>']);
    expect(pressed('ls\r', '\x1c', 't', 'x')).toEqual(['ls\r', '<keyboard>', 'x']);
  });

  test('twice is typed once', () => {
    expect(pressed('\x1c\x1c').join('')).toBe('\x1c');
  });

  test('before any other key is typed as well', () => {
    expect(pressed('a\x1cz').join('')).toBe('a\x1cz');
    expect(pressed('\x1c', '\x1b[A').join('')).toBe('\x1c\x1b[A');
  });

  test('is known in the codes of kitty and of xterm, too', () => {
    expect(pressed('\x1b[92;5u\x1b[100u')).toEqual(['<detach>']);
    expect(pressed('\x1b[27;5;92~d')).toEqual(['<detach>']);
  });

  test('leaves every other byte as it is', () => {
    const bytes = Buffer.from(
      Array.from({ length: 256 }, (_, at) => at).filter((it) => it !== 0x1c),
    );
    const [all] = new Hotkeys().take(bytes);
    expect(all).toEqual({ bytes });
  });
});
