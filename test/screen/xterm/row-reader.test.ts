import { describe, expect, test } from 'vitest';
import { makeScreenView } from '../../../src/views/screen.ts';
import { textViewFrom } from '../../../src/views/text.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

const seen = (output: string) => {
  const { screen, write } = openScreen({ cols: 40 });
  write(output);
  const { lines, hidden = 0 } = textViewFrom(screen, 0);
  const view = makeScreenView(screen);
  const text = lines.map((line) => line.text).join('\n');
  expect({ text: view.lines.join('\n'), hidden: view.hidden.reduce((a, b) => a + b) }).toEqual({
    text,
    hidden,
  });
  return { text, hidden };
};

describe('a person does not see, and a reader does not get', () => {
  test.each([
    ['what is concealed', 'a\x1b[8mhidden\x1b[28mb', 'a      b', 6],
    ['red on red', 'a\x1b[31;41mhidden\x1b[mb', 'a      b', 6],
    ['bright on the same bright', '\x1b[91;101mno\x1b[m yes', '   yes', 2],
    ['a colour by its number', 'a\x1b[38;5;3;43mhid\x1b[m', 'a', 3],
    ['a colour by its parts', 'a\x1b[38;2;1;2;3;48;2;1;2;3mhid\x1b[mb', 'a   b', 3],
    ['a colour with colons', 'a\x1b[38:2::1:2:3;48:2::1:2:3mhid\x1b[mb', 'a   b', 3],
    ['one that is nearly the same', 'a\x1b[38;2;0;0;0;48;2;2;2;2mhid\x1b[mb', 'a   b', 3],
    ['a number that is that colour', 'a\x1b[38;5;16;48;2;0;0;0mhid\x1b[mb', 'a   b', 3],
    ['and in reverse', 'a\x1b[7;31;41mhid\x1b[mb', 'a   b', 3],
    ['circled and wide letters', '\x1b[8mⒶ漢字\x1b[m.', '     .', 3],
    ['letters with marks', '\x1b[32;42mu\u0308e\u0301\x1b[m.', '  .', 2],
    ['letters on top of a block', '\x1b[32;42m█\u0363\x1b[m.', ' .', 1],
    ['with a C1 control', 'a\u009b8mhid\u009bmb', 'a   b', 3],
    ['with a control character inside', 'a\x1b[30;4\x070mhid\x1b[mb', 'a   b', 3],
    ['with a line end inside', '\x1b[\r\n8mhid\x1b[mb', '\n   b', 3],
    ['with DEL inside', 'a\x1b[\x7f8mhid\x1b[4\x7f1;31mhid\x1b[mb', 'a      b', 6],
    ['with a byte order mark inside', 'a\x1b[\ufeff8mhid\x1b[mb', 'a   b', 3],
    ['with a C1 control after a begun one', 'a\x1b[1\u009b8mhid\x1b[mb', 'a   b', 3],
    ['in a style that was saved', '\x1b[8m\x1b7\x1b[m\x1b8hid\x1b[mb', '   b', 3],
    ['tags', 'a\u{e0041}\u{e0042}b', 'ab', 2],
    ['overrides', 'a\u202eb', 'ab', 1],
    ['tags after SOS that a character ends', '\x1bXéa\u{e0041}b', 'ab', 1],
    ['tags after PM that a character ends', '\x1b^éa\u{e0041}b', 'ab', 1],
    ['tags after APC that a character ends', '\x1b_éa\u{e0041}b', 'ab', 1],
    ['tags after DCS that a character ends', '\x1bP1$éa\u{e0041}b', 'ab', 1],
  ])('%s', (_what, output, text, hidden) => {
    expect(seen(output)).toEqual({ text, hidden });
    // However it is cut.
    const { screen } = openScreen({ cols: 40 });
    for (const byte of Buffer.from(output)) screen.write(Uint8Array.of(byte));
    expect(textViewFrom(screen, 0)).toMatchObject({
      lines: text.split('\n').map((line) => ({ text: line })),
      hidden,
    });
  });
});

describe('a person sees, and a reader gets', () => {
  test.each([
    ['grey as bold black on black', '\x1b[1;30;40mgrey', 'grey'],
    ['black on a default that may be black', '\x1b[30mblack', 'black'],
    ['red on green', '\x1b[31;42mboth', 'both'],
    ['blanks in any style', '\x1b[8m  \x1b[41;31m  \x1b[mx', '    x'],
    ['blocks in the colour of what is behind them', '\x1b[31;41m█▀─\x1b[m', '█▀─'],
    ['brackets that make room, as in htop', '\x1b[32;42m[\x1b[30mMain\x1b[32m]\x1b[m', '[Main]'],
    ['the signs of a status line', '\x1b[34;44m\ue0b0\x1b[m', '\ue0b0'],
    ['colours that are close and not the same', '\x1b[38;2;0;0;0;48;2;20;20;20mx', 'x'],
    ['emoji, flags and joined letters', '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‌ष', '👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿 می‌خواهم क्‌ष'],
  ])('%s', (_what, output, text) => {
    expect(seen(output)).toEqual({ text, hidden: 0 });
  });
});

test('what has scrolled away is counted with its line, also if the line wraps', () => {
  const { screen, write } = openScreen({ cols: 10, rows: 3 });
  write(`\x1b[8m${'secret'.repeat(50)}\x1b[m and seen\r\n`);
  for (let at = 0; at < 300; at++) write(`line ${at}\r\n`);
  const [first] = screen.lines();
  expect(first).toMatchObject({ text: `${' '.repeat(300)} and seen`, hidden: 300 });
});
