import { describe, expect, test } from 'vitest';
import { lineTexts, openScreen } from '../../helpers/screen-fixture.ts';
import { seeded } from '../../helpers/seeded.ts';

const word = /\S/;

describe('resizing', () => {
  test('wraps lines again and keeps each one whole', () => {
    const { screen, write } = openScreen({ cols: 20, rows: 4 });
    write('a line of thirty characters...\r\nshort\r\n$ typed');
    screen.resize(10, 4);
    expect(lineTexts(screen)).toEqual(['a line of thirty characters...', 'short', '$ typed']);
    expect(screen.textBeforeCursor).toBe('$ typed');
    screen.resize(40, 4);
    expect(lineTexts(screen)).toEqual(['a line of thirty characters...', 'short', '$ typed']);
    expect(screen.grid.rowText(0)).toBe('a line of thirty characters...');
  });

  test('keeps the cursor behind the text of its own line', () => {
    const { screen, write } = openScreen({ cols: 30, rows: 4 });
    write('a question of 25 letters? ');
    for (const cols of [12, 7, 26, 80, 26]) {
      screen.resize(cols, 4);
      expect(screen.textBeforeCursor, `${cols} columns`).toBe('a question of 25 letters? ');
    }
  });

  test('loses no line and makes none twice, whatever the sizes', { timeout: 60_000 }, () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { below, pick } = seeded(seed);
      const { screen, write } = openScreen({ cols: 10 + below(60), rows: 1 + below(20) });
      const printed: string[] = [];
      for (let round = 0; round < 8; round++) {
        for (let count = below(40); count > 0; count--) {
          const text = Array.from({ length: 1 + below(25) }, () =>
            pick(['word', 'a', '漢字', 'é1']),
          );
          printed.push(`${printed.length}:${text.join(pick(['', '-']))}`);
          write(`${printed.at(-1)}\r\n`);
        }
        screen.resize(2 + below(90), 1 + below(30));
        const kept = lineTexts(screen).filter((text) => word.test(text));
        expect(kept, `seed ${seed}, round ${round}`).toEqual(printed);
      }
    }
  });

  test('leaves no half of a wide character at the edge of the alternate screen', () => {
    const { screen, write } = openScreen({ cols: 20, rows: 4 });
    write('\x1b[?1049h漢字漢字');
    screen.resize(3, 4);
    expect(screen.grid.rowText(0)).toBe('漢');
    write('\x1b[Hab');
    expect(screen.grid.rowText(0)).toBe('ab');
  });

  test('loses nothing below the cursor', () => {
    for (let seed = 1; seed <= 200; seed++) {
      const { below } = seeded(seed);
      const { screen, write } = openScreen({ cols: 30, rows: 10 });
      const printed = Array.from(
        { length: 9 },
        (_, at) => `${at}:${'word '.repeat(1 + below(9))}end`,
      );
      write(printed.join('\r\n'));
      write(`\x1b[${1 + below(10)};${1 + below(30)}H`);
      for (let round = 0; round < 8; round++) {
        screen.resize(2 + below(60), 1 + below(20));
        expect(lineTexts(screen), `seed ${seed}, round ${round}`).toEqual(printed);
      }
    }
  });
});
