import { describe, expect, test } from 'vitest';
import { readPlainOutput } from '../../../src/session/run/plain-output.ts';
import { textViewFrom } from '../../../src/views/text.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';
import { forSeeds } from '../../helpers/seeded.ts';

describe('is read from its bytes', () => {
  test.each([
    ['text with tabs and blanks', 'a\tb  \r\n', 'a\tb  \n'],
    ['colours', '\x1b[1;31mred\x1b[38:2::1:2:3m\x1b[m', 'red'],
    ['a title', '\x1b]2;title é\x07\x1b]8;;http://x\x1b\\link', 'link'],
    ['a hidden cursor and pastes', '\x1b[?25l\x1b[?25;2004hx', 'x'],
    ['what grep erases', '\x1b[31m\x1b[Ka\x1b[m\x1b[K\t \r\n', 'a\t \n'],
    ['what is erased at the start of a line', 'a\r\n\r\x1b[Kb', 'a\nb'],
  ])('%s', (_what, printed, text) => expect(readPlainOutput(printed)).toBe(text));
});

describe('needs a screen', () => {
  test.each([
    ['a moved cursor', 'a\x1b[Db'],
    ['a CR within a line', 'abc\rd'],
    ['an erased line', 'abc\r\x1b[K\r\n'],
    ['an erased line in another colour', 'abc\r\x1b[m\x1b[0K\r\n'],
    ['an erased line that is erased before', 'abc\x1b[K\r\x1b[K\x1b[K\n'],
    ['the start of a line that is erased', 'abc\x1b[1K'],
    ['a saved cursor', '\x1b7'],
    ['a mode that saves it', '\x1b[?1048h'],
    ['another screen', '\x1b[?25;1049h'],
    ['a mode with zeros before it', '\x1b[?025h'],
    ['lines that do not wrap', '\x1b[?7l'],
    ['a control character in a colour', '\x1b[3\x071m'],
    ['a C1 control in a title', '\x1b]2;a\u009cb\x07'],
    ['a title that is broken off', '\x1b]2;a\x18b\x07'],
    ['a string', '\x1bXa\x1b\\'],
    ['what is not known', '\x1b[5^'],
  ])('%s', (_what, printed) => expect(readPlainOutput(printed)).toBeUndefined());
});

test('what is read from its bytes is what a screen shows, whatever its width', () => {
  const PIECES = [
    'a',
    'word ',
    'ab\x1b[K',
    '\x1b[K',
    '\x1b[0K',
    '\x1b[31m',
    '\x1b[m\x1b[K',
    '漢',
    'é',
  ];
  const MORE = ['\r\n', '\n\r', '\r', '\r\x1b[K', '\x1b]0;t\x07', '\x1b[?25l', '\x07', '\x7f', 'x'];
  let plain = 0;
  forSeeds(2000, ({ below, pick }) => {
    const cols = 2 + below(12);
    const printed = Array.from({ length: below(30) }, () => pick([...PIECES, ...MORE])).join('');
    const text = readPlainOutput(printed);
    if (text === undefined) return;
    plain++;
    const { screen, write } = openScreen({ cols, rows: 5 });
    write(printed.replaceAll(/\r*\n/g, '\r\n'));
    const shown = textViewFrom(screen, 0).lines.map((line) => line.text);
    const read = text.split('\n').map((line) => line.trimEnd());
    expect(shown.join('\n').trimEnd(), JSON.stringify(printed)).toBe(read.join('\n').trimEnd());
    screen.dispose();
  });
  expect(plain).toBeGreaterThan(20);
});
