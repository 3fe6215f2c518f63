import { describe, expect, test } from 'vitest';
import { budgetBytes, fitToBudget } from '../../src/views/budget.ts';
import { type RawView, rawViewFrom } from '../../src/views/raw.ts';
import { TextViewReader } from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { forSeeds } from '../helpers/seeded.ts';

const textOf = ({ lines }: RawView) => lines.map(({ text }) => text).join('\n');

describe('the raw view', () => {
  test('is what came, escapes and all', () => {
    const { screen, write } = openScreen();
    write('\x1b[31mred\x1b[0m\r\n');
    expect(rawViewFrom(screen, 0)).toEqual({
      lines: [
        { position: 0, text: '\x1b[31mred\x1b[0m\r', bytes: 13 },
        { position: 14, text: '', bytes: 0 },
      ],
      position: 14,
    });
    expect(textOf(rawViewFrom(screen, 5))).toBe('red\x1b[0m\r\n');
    expect(rawViewFrom(screen, 14)).toEqual({ lines: [], position: 14 });
  });

  test('never splits a character', () => {
    const { screen } = openScreen();
    const bytes = Buffer.from('a“漢😀');
    let position = 0;
    let text = '';
    for (const byte of bytes) {
      screen.write(Uint8Array.of(byte));
      const view = rawViewFrom(screen, position);
      expect(textOf(view)).not.toContain('\ufffd');
      position = view.position;
      text += textOf(view);
    }
    expect(text).toBe('a“漢😀');
  });

  test('shows bytes that are no characters as such, and knows where each line begins', () => {
    const { screen } = openScreen();
    screen.write(Buffer.from([0x61, 0xff, 0x62, 0x0a, 0xfe, 0xfd, 0x0a, 0x63]));
    expect(rawViewFrom(screen, 0).lines).toEqual([
      { position: 0, text: 'a\ufffdb', bytes: 3 },
      { position: 4, text: '\ufffd\ufffd', bytes: 2 },
      { position: 7, text: 'c', bytes: 1 },
    ]);
  });

  test('is the same if what cannot be shown is not cut into lines', () => {
    forSeeds(40, ({ below, pick, list }) => {
      const { screen } = openScreen({ history: { maxBytes: 32 * 1024 } });
      const reader = pick([undefined, new TextViewReader(screen)]);
      const most = pick([3, 80, 1000]);
      for (let count = below(100); count > 0; count--) {
        const bytes = list(most, () => pick([0x61, 0xff, 0xe6, 0xbc, 0xa2, 0x0a, 0x62]));
        screen.write(Buffer.from([...bytes, ...pick([[0x0a], [0x0d, 0x0a], []])]));
      }
      const maxTokens = pick([1, 100, 1000, 1_000_000]);
      const fitted = ({ lines, gone }: RawView) => fitToBudget(lines, maxTokens, gone);
      const cut = rawViewFrom(screen, 0, budgetBytes(maxTokens));
      const whole = rawViewFrom(screen, 0);
      expect(fitted(cut)).toEqual(fitted(whole));
      expect(cut.position).toBe(whole.position);
      reader?.close();
    });
  });

  test('says what is gone', () => {
    const { screen } = openScreen({ history: { maxBytes: 64 * 1024 } });
    const line = Buffer.from(`${'x'.repeat(98)}\r\n`);
    for (let count = 0; count < 10_000; count++) screen.write(line);
    const view = rawViewFrom(screen, 0);
    const gone = view.gone!;
    expect(view.position).toBe(1_000_000);
    expect(gone.before).toBe(0);
    expect(gone.bytes).toBe(view.lines[0]!.position);
    expect(gone.bytes + textOf(view).length).toBe(view.position);
    expect(Math.abs(gone.lines - gone.bytes / 100)).toBeLessThan(1);
  });

  test('says where it is gone, and knows where the lines after that begin', () => {
    const { screen } = openScreen({ history: { maxBytes: 256 * 1024 } });
    // A reader that has not read keeps the beginning.
    const reader = new TextViewReader(screen);
    for (let first = 0; first < 100_000; first += 1000) {
      const numbers = Array.from({ length: 1000 }, (_, at) => String(first + at).padStart(8));
      screen.write(Buffer.from(numbers.map((number) => `${number}\r\n`).join('')));
    }
    const { lines, gone, position } = rawViewFrom(screen, 0);
    reader.close();
    expect(position).toBe(1_000_000);
    expect(lines[0]).toEqual({ position: 0, text: '       0\r', bytes: 9 });
    expect(gone!.before).toBeGreaterThan(100);
    const after = lines.slice(gone!.before + 1, -1);
    expect(after.length).toBeGreaterThan(100);
    expect(after.filter((line) => Number(line.text) * 10 !== line.position)).toEqual([]);
    const kept = lines.reduce((sum, { bytes }) => sum + bytes!, 0);
    const newlines = lines.length - 1;
    expect(Math.abs(gone!.bytes + kept + newlines - position)).toBeLessThanOrEqual(1);
  });
});
