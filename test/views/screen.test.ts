import { describe, expect, test } from 'vitest';
import { makeScreenView } from '../../src/views/screen.ts';
import { ScreenViewReader } from '../../src/views/screen-diff.ts';
import { openScreen } from '../helpers/screen-fixture.ts';

describe('the screen view', () => {
  test('has rows, cursor, size and title', () => {
    const { screen, write } = openScreen();
    write('\x1b]0;a title\x07one  \r\n\r\n\x1b[4;3Hfour\x1b[?25l');
    expect(makeScreenView(screen)).toEqual({
      lines: ['one', '', '', '  four'],
      hidden: [0, 0, 0, 0, 0],
      cursor: { col: 6, row: 3, visible: false },
      cols: 20,
      rows: 5,
      title: 'a title',
      alternate: false,
      marked: [],
      position: screen.position,
    });
  });

  test('marks what is in reverse, as a menu marks its choice', () => {
    const { screen, write } = openScreen();
    write('\x1b[?1049h\x1b[H  Apple\r\n\x1b[7m> Banana\x1b[0m\r\n  Cherry');
    expect(makeScreenView(screen)).toMatchObject({
      alternate: true,
      marked: [{ row: 1, col: 0, text: '> Banana' }],
    });
  });

  test('marks what lies on another background, whatever the letters look like', () => {
    const { screen, write } = openScreen();
    write('\x1b[44m\x1b[2J\x1b[Hpanel\x1b[2;1H\x1b[30;46mcho\x1b[31msen\x1b[K\x1b[0m');
    expect(makeScreenView(screen).marked).toEqual([{ row: 1, col: 0, text: 'chosen' }]);
  });

  test('has the looks of every run, if asked', () => {
    const { screen, write } = openScreen();
    write('a \x1b[1;31mb\x1b[0m \x1b[4;38;2;1;2;3mc');
    expect(makeScreenView(screen, { styles: true }).styles).toEqual([
      { row: 0, col: 2, text: 'b', bold: true, fg: 1 },
      { row: 0, col: 4, text: 'c', underline: true, fg: '#010203' },
    ]);
  });

  test('does not show what is invisible', () => {
    const { screen, write } = openScreen();
    write('a\x1b[8mhidden\x1b[0mb');
    expect(makeScreenView(screen).lines).toEqual(['a      b']);
  });
});

describe('the diff view', () => {
  test('has only what changed since it was last seen', () => {
    const { screen, write } = openScreen();
    const reader = new ScreenViewReader(screen);
    write('one\r\ntwo\r\nthree');
    expect(reader.diff()).toMatchObject({ isNew: true, changed: [{}, {}, {}] });
    write('\x1b[2;1H\x1b[7mTWO\x1b[0m');
    expect(reader.diff()).toMatchObject({
      isNew: false,
      changed: [{ row: 1, text: 'TWO' }],
      marked: [{ row: 1, col: 0, text: 'TWO' }],
      cursor: { col: 3, row: 1 },
    });
    expect(reader.diff()).toMatchObject({ changed: [], marked: [] });
  });

  test('tells of rows that were erased', () => {
    const { screen, write } = openScreen();
    const reader = new ScreenViewReader(screen);
    write('one\r\ntwo');
    reader.read();
    write('\x1b[2K');
    expect(reader.diff().changed).toEqual([{ row: 1, text: '' }]);
  });

  test.each([
    ['a new width', (screen: { resize(cols: number, rows: number): void }) => screen.resize(30, 5)],
    [
      'a new height',
      (screen: { resize(cols: number, rows: number): void }) => screen.resize(20, 6),
    ],
    [
      'the alternate screen',
      (_screen: unknown, write: (text: string) => void) => write('\x1b[?1049hx'),
    ],
  ])('gives all rows after %s', (_what, change) => {
    const { screen, write } = openScreen();
    const reader = new ScreenViewReader(screen);
    write('one');
    reader.read();
    change(screen, write);
    expect(reader.diff().isNew).toBe(true);
  });
});
