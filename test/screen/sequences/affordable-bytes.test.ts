import { expect, test } from 'vitest';
import { openScreen } from '../../helpers/screen-fixture.ts';

const affordable = (text: string, cols: number, rows: number, before = '') => {
  const { screen, write } = openScreen({ cols, rows });
  write(before);
  return screen.affordable(Buffer.from(text));
};

test.each([
  ['plain text', 'x'.repeat(60_000), 120, 40],
  ['lines', 'line\n'.repeat(800), 120, 40],
  ['colours', '\x1b[38;5;12mx\x1b[0m'.repeat(300), 120, 40],
  ['cursor movements', '\x1b[12;40Hx\x1b[K'.repeat(300), 120, 40],
  ['one clearing of a large screen', '\x1b[2J', 1000, 1000],
  ['letters whose first byte is that of a control character', '°§£'.repeat(900), 120, 40],
  ['nothing', '', 1000, 1000],
])('%s can be taken at once', (_, text, cols, rows) => {
  expect(affordable(text, cols, rows)).toBe(Buffer.byteLength(text));
});

test.each([
  ['clearing', '\x1b[2J'],
  ['a reset', '\x1bc'],
  ['filling', '\x1b#8'],
  ['scrolling to the left', '\x1b[9 @'],
  ['the alternate screen', '\x1b[?1049h'],
  ['clearing by a control character of eight bits', '\x9b2J'],
])('of %s again and again, one at a time on a large screen', (_, sequence) => {
  const { length } = Buffer.from(sequence);
  expect(affordable(sequence.repeat(50), 1000, 1000)).toBe(length);
  expect(affordable(`text${sequence.repeat(50)}`, 1000, 1000)).toBe('text'.length);
  expect(affordable(sequence.repeat(1000), 80, 24)).toBe(52 * length);
});

test('repeating counts by its number, since the character may have many marks', () => {
  const affordableTimes = (count: number) =>
    affordable(`\x1b[${count}b`.repeat(5000), 1000, 1000) / `\x1b[${count}b`.length;
  expect([1, 80, 100_000].map(affordableTimes)).toEqual([1562, 19, 1]);
});

test('line feeds count where a row is very wide', () => {
  expect(affordable('\n'.repeat(4000), 65_535, 15)).toBe(2);
});

test('line feeds within margins count, since they move rows', () => {
  expect(affordable('\n'.repeat(4000), 100, 10_000, '\x1b[2;9999r')).toBe(10);
  expect(affordable('\n'.repeat(4000), 100, 10_000)).toBe(4000);
});

test('text counts where it is inserted, since it moves the rest of the row', () => {
  expect(affordable('x'.repeat(4000), 65_535, 15, '\x1b[4h')).toBe(12);
  expect(affordable('x'.repeat(4000), 65_535, 15)).toBe(4000);
});

test('what makes later output more work is taken by itself', () => {
  expect(affordable(`\x1b[4h${'x'.repeat(4000)}`, 80, 24)).toBe(4);
  expect(affordable(`\x1b[2;20r${'\n'.repeat(4000)}`, 80, 24)).toBe(7);
});

test('a sequence that is cut off at the end is taken by itself', () => {
  expect(affordable('text\x1b[12', 1000, 1000)).toBe('text'.length);
  expect(affordable('\x1b[12', 1000, 1000)).toBe(4);
  expect(affordable('\x1b', 1000, 1000)).toBe(1);
});
