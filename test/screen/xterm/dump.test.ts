import { expect, test } from 'vitest';
import { makeScreenView } from '../../../src/views/screen.ts';
import { joinViewLines, textViewFrom } from '../../../src/views/text.ts';
import { openScreen } from '../../helpers/screen-fixture.ts';

test.each([
  ['text and colours', 'plain \x1b[1;31mred\x1b[0m\r\n\x1b[44mblue\x1b[K\x1b[0m\r\nlast'],
  ['a wrapped line', 'a line that goes on over the edge of the screen\r\n$ '],
  ['wide and combined characters', '漢字 👨‍👩‍👧 e\u0301|\r\n'],
  ['the alternate screen', 'shell\x1b[?1049h\x1b[2;3H\x1b[7mmenu\x1b[0m\x1b[4;1H'],
  ['margins', 'a\r\nb\r\nc\x1b[2;4r\x1b[3;2H'],
  ['origin mode', 'a\r\nb\r\nc\x1b[2;4r\x1b[?6h\x1b[2;2H'],
  ['a title and a hidden cursor', '\x1b]2;title\x07\x1b[?25lx'],
  ['modes', '\x1b[?1h\x1b[?2004h\x1b[?1002h\x1b[?1006h\x1b[?1004h$ '],
  ['colours that go on', '\x1b[1;38;5;200mx'],
  ['plain text on the alternate screen, though colours go on', '\x1b[?1049hplain\x1b[3;41m'],
])('a dump shows %s to a new terminal', (_what, output) => {
  const { screen, write } = openScreen();
  write(output);
  const copy = openScreen();
  copy.write(screen.dump());
  const options = { styles: true };
  const { position: _, ...expected } = makeScreenView(screen, options);
  expect(makeScreenView(copy.screen, options)).toMatchObject(expected);
  expect(copy.screen.modes).toEqual(screen.modes);
  expect(copy.replies).toEqual([]);
  write('\x1b[Amore');
  copy.write('\x1b[Amore');
  expect(makeScreenView(copy.screen, options).lines).toEqual(makeScreenView(screen, options).lines);
});

test('a dump shows a line that wraps after nothing but blanks', () => {
  const { screen, write } = openScreen();
  write('\x1b[1;8Hword\x1b[2;3H');
  screen.resize(5, 5);
  const copy = openScreen({ cols: 5, rows: 5 });
  copy.write(screen.dump());
  expect(makeScreenView(copy.screen).lines).toEqual(makeScreenView(screen).lines);
  expect(copy.screen.cursor).toEqual(screen.cursor);
});

test.each([
  ['an escape sequence', '\x1b[1;3', '1mred'],
  ['a bare escape', '\x1b', '[7mreverse'],
  ['a title', '\x1b]2;ti', 'tle\x07x'],
  ['a character', Buffer.from('漢').subarray(0, 2), Buffer.from('漢字').subarray(2)],
  ['nothing', 'plain', ' text'],
])('a dump taken within %s goes on with what the screen has not parsed', (_what, begun, rest) => {
  const { screen } = openScreen();
  const bytes = (text: string | Uint8Array) => Buffer.from(text as string);
  screen.write(Buffer.concat([bytes('before '), bytes(begun)]));
  const copy = openScreen();
  copy.screen.write(Buffer.concat([bytes(screen.dump()), screen.unparsed]));
  screen.write(bytes(rest));
  copy.screen.write(bytes(rest));
  const { position: _, ...expected } = makeScreenView(screen, { styles: true });
  expect(makeScreenView(copy.screen, { styles: true })).toMatchObject(expected);
});

test('a dump leaves the screen as it is: rows that wrap do so afterwards, and no others', () => {
  const { screen, write } = openScreen({ cols: 5, rows: 5 });
  write('longer\r\n\r\nb');
  screen.dump();
  expect(joinViewLines(textViewFrom(screen, 0))).toBe('longer\n\nb');
});
