import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/screen/screen.ts';
import { lineTexts, openScreen, screenText } from '../helpers/screen-fixture.ts';

describe('the screen', () => {
  test('shows text at once, wherever the bytes were cut', () => {
    const bytes = Buffer.from('é “quoted” – 漢字 👍🏽 👨‍👩‍👧 e\u0301 🇩🇪\r\n\x1b[31mred\x1b[0m');
    const whole = openScreen({ cols: 40 }).screen;
    whole.write(bytes);
    for (let at = 1; at < bytes.length; at++) {
      const { screen } = openScreen({ cols: 40 });
      screen.write(bytes.subarray(0, at));
      void screen.cursor;
      screen.write(bytes.subarray(at));
      expect(screen.dump()).toBe(whole.dump());
    }
    expect(whole.grid.rowText(0)).toBe('é “quoted” – 漢字 👍🏽 👨‍👩‍👧 e\u0301 🇩🇪');
  });

  test.each([
    ['a letter', 'a', 1],
    ['a letter and an accent', 'e\u0301', 1],
    ['a Chinese character', '漢', 2],
    ['an emoji', '😀', 2],
    ['an emoji with a skin tone', '👍🏽', 2],
    ['a family', '👨‍👩‍👧', 2],
    ['a flag', '🇩🇪', 2],
    ['a heart made an emoji', '❤️', 2],
    ['Hebrew', 'שלום', 4],
  ])('%s takes its columns', (_what, text, columns) => {
    const { screen, write } = openScreen();
    write(text);
    expect(screen.cursor).toEqual({ col: columns, row: 0 });
    expect(screen.grid.rowText(0)).toBe(text);
  });

  test('shows a replacement for each byte that is no UTF-8, wherever it was cut', () => {
    const bytes = Buffer.from('caf\xe9 \xff M\xfcller\r\n', 'latin1');
    for (let cut = 0; cut < bytes.length; cut++) {
      const screen = new Screen({ cols: 40, rows: 3 });
      screen.write(bytes.subarray(0, cut));
      void screen.cursor;
      screen.write(bytes.subarray(cut));
      expect([...screen.lines()][0]?.text).toBe('caf\ufffd \ufffd M\ufffdller');
    }
  });

  test('gives the text before the cursor, also over wrapped rows', () => {
    const { screen, write } = openScreen({ cols: 10 });
    write('a prompt that wraps> ');
    expect(screen.textBeforeCursor).toBe('a prompt that wraps> ');
    write('typed\x1b[5D');
    expect(screen.textBeforeCursor).toBe('a prompt that wraps> ');
  });

  test('says which modes are on, and where each was switched last', () => {
    const { screen, write, events } = openScreen();
    write('text\x1b[?2004h$ \x1b[?1049h\x1b[?25l\x1b[?1002h\x1b[?1006h\x1b[?1h\x1b[?1004h');
    expect(screen.modes).toEqual({
      cols: 20,
      rows: 5,
      applicationCursor: true,
      bracketedPaste: true,
      alternateScreen: true,
      cursorVisible: false,
      focusEvents: true,
      synchronizedOutput: false,
      mouse: 'button',
      mouseEncoding: 'sgr',
    });
    expect(screen.switches.bracketedPaste).toEqual({ on: true, position: 12 });
    expect(screen.switches.synchronizedOutput).toBeUndefined();
    write('\x1b[?2004l\x1b[?2026h');
    expect(screen.switches.bracketedPaste).toEqual({ on: false, position: screen.position - 8 });
    expect(screen.modes.synchronizedOutput).toBe(true);
    write('\x1bc');
    expect(screen.modes).toMatchObject({ alternateScreen: false, mouse: 'none' });
    expect(events).toContainEqual({ type: 'mode', mode: 'cursorVisible', on: false, position: 28 });
  });

  test.each([
    [0, 24],
    [80, 0],
    [80.5, 24],
    [80, 70_000],
  ])('refuses a size of %s by %s', (cols, rows) => {
    expect(() => new Screen({ cols, rows })).toThrow(
      expect.objectContaining({ code: 'INVALID_SIZE' }),
    );
    const { screen } = openScreen();
    expect(() => screen.resize(cols, rows)).toThrow(
      expect.objectContaining({ code: 'INVALID_SIZE' }),
    );
  });
});

describe('lines', () => {
  test('are numbered and placed from the first byte on', () => {
    const { screen, write } = openScreen({ rows: 3 });
    write('one\r\ntwo\r\n\x1b[32mthree\x1b[0m and more of it, wrapped\r\nfour');
    expect([...screen.lines()].map(({ line, position, text }) => [line, position, text])).toEqual([
      [0, 0, 'one'],
      [1, 5, 'two'],
      [2, 10, 'three and more of it, wrapped'],
      [3, 50, 'four'],
    ]);
    write(`\r\n${'x\r\n'.repeat(500)}`);
    expect([...screen.lines(2)].slice(0, 3).map(({ line, text }) => [line, text])).toEqual([
      [2, 'three and more of it, wrapped'],
      [3, 'four'],
      [4, 'x'],
    ]);
    expect(screen.lineAt(12)).toBe(2);
  });

  test('a line without an end stays bounded', () => {
    const { screen } = openScreen({ cols: 80, rows: 24 });
    for (let count = 0; count < 100; count++) screen.write(Buffer.alloc(64 * 1024, 0x61));
    const texts = lineTexts(screen);
    expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(64 * 1024 + 80 * 130);
    expect(screen.history.lines.size.chars).toBeLessThan(3 * 1024 * 1024);
  });

  test('a region that scrolls at the bottom of the screen sends its lines to the history', () => {
    const { screen, write } = openScreen({ rows: 5 });
    write('\x1b[1;4r\x1b[5;1Hprogress\x1b[1;1H');
    for (let line = 0; line < 300; line++) write(`${line}\r\n`);
    expect(screen.grid.rowText(4)).toBe('progress');
    expect(lineTexts(screen).slice(0, 300)).toEqual(
      Array.from({ length: 300 }, (_, at) => `${at}`),
    );
  });

  test('scroll-up sends lines to the history, as a line feed would', () => {
    const { screen, write } = openScreen({ rows: 3 });
    write('one\r\ntwo\r\nthree\x1b[2S');
    expect(screenText(screen)).toEqual(['three', '', '']);
    expect(lineTexts(screen).slice(0, 3)).toEqual(['one', 'two', 'three']);
  });
});
