import { describe, expect, test } from 'vitest';
import { rawFrom } from '../../src/views/raw.ts';
import { openScreen } from '../screen/fixture.ts';

describe('the raw view', () => {
  test('is what came, escapes and all', () => {
    const { screen, write } = openScreen();
    write('\x1b[31mred\x1b[0m\r\n');
    expect(rawFrom(screen, 0)).toEqual({
      text: '\x1b[31mred\x1b[0m\r\n',
      from: 0,
      position: 14,
      lost: { bytes: 0, lines: 0 },
    });
    expect(rawFrom(screen, 5).text).toBe('red\x1b[0m\r\n');
  });

  test('never splits a character', () => {
    const { screen } = openScreen();
    const bytes = Buffer.from('a“漢😀');
    let position = 0;
    let text = '';
    for (const byte of bytes) {
      screen.write(Uint8Array.of(byte));
      const view = rawFrom(screen, position);
      expect(view.text).not.toContain('\ufffd');
      position = view.position;
      text += view.text;
    }
    expect(text).toBe('a“漢😀');
  });

  test('shows bytes that are no characters as such', () => {
    const { screen } = openScreen();
    screen.write(Buffer.from([0x61, 0xff, 0x62]));
    expect(rawFrom(screen, 0).text).toBe('a\ufffdb');
  });

  test('says what is gone', () => {
    const { screen } = openScreen({ history: { maxBytes: 64 * 1024 } });
    const line = Buffer.from(`${'x'.repeat(98)}\r\n`);
    for (let count = 0; count < 10_000; count++) screen.write(line);
    const { lost, from, text, position } = rawFrom(screen, 0);
    expect(position).toBe(1_000_000);
    expect(lost.bytes).toBe(from);
    expect(lost.bytes + text.length).toBe(position);
    expect(Math.abs(lost.lines - lost.bytes / 100)).toBeLessThan(1);
  });
});
