import { describe, expect, test } from 'vitest';
import { joinViewLines, TextViewReader, textViewFrom } from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';

describe('printed text stays readable', () => {
  test('when the screen gets another size under a full-screen program', () => {
    const { screen, write } = openScreen({ cols: 30, rows: 8 });
    write('a line of thirty letters......\r\n$ less file\x1b[?1049hdrawn');
    screen.resize(10, 8);
    write('\x1b[?1049l\r\nafter');
    const printed = 'a line of thirty letters......\n$ less file\nafter';
    expect(joinViewLines(textViewFrom(screen, 0))).toBe(printed);
  });

  test('when the cursor is saved after the last column', () => {
    const { screen, write } = openScreen({ cols: 10, rows: 4 });
    write('0123456789\x1b7\x1b[H\x1b8+\x1b[?1049h\x1b[?1049l');
    expect(joinViewLines(textViewFrom(screen, 0))).toBe('0123456789+');
  });

  test('when lines scroll below a margin, after those above it that scrolled before', () => {
    const { screen, write } = openScreen({ cols: 20, rows: 4 });
    const reader = new TextViewReader(screen);
    write('old\r\n\r\n\r\n\r\nhead\x1b[2;4r\x1b[2J\x1b[Hhead\x1b[4;1H');
    for (let line = 0; line < 9; line++) write(`\r\nline ${line}`);
    write('\x1b[3S\x1b[4;1Hlast');
    const lines = [...Array.from({ length: 9 }, (_, at) => `line ${at}`), 'last'];
    for (const view of [textViewFrom(screen, 0), reader.read()]) {
      const readText = joinViewLines(view).split('\n');
      expect(readText.filter((text) => lines.includes(text))).toEqual(lines);
      expect(readText.indexOf('old')).toBe(0);
    }
    expect(joinViewLines(reader.read())).toBe('');
  });

  test('when a line whose beginning is no longer on the screen is erased there', () => {
    const { screen, write } = openScreen({ cols: 10, rows: 2 });
    write('0123456789abcdefghijABCDEFGHIJ\x1b[3J\x1b[H\x1b[K');
    expect(joinViewLines(textViewFrom(screen, 0))).toBe(`0123456789\n${' '.repeat(10)}ABCDEFGHIJ`);
  });

  test('when what stands below a margin went on with a line that has scrolled', () => {
    const { screen, write } = openScreen({ cols: 10, rows: 4 });
    write('\r\n\r\n0123456789abc\x1b[1;3r\x1b[3;1H\r\nnew');
    expect(joinViewLines(textViewFrom(screen, 0))).toBe('\n\n0123456789\nnew\nabc');
  });
});

/** Returns a new word each time. */
type NextWord = () => string;

/** Output that does not draw over existing text. */
const actions: Record<string, (nextWord: NextWord, random: Random, rows: number) => string> = {
  print: (nextWord, { list }) => list(12, nextWord).join(''),
  lines: (nextWord, { list }) => list(12, () => `\r\n${nextWord()}`).join(''),
  clear: (_, { pick }) => pick(['\x1b[H\x1b[2J', '\x1b[2J', '\x1b[3J', '\x1bc', '\x1b[3S']),
  fullScreen: (_, { below }) => `\x1b[?1049h\x1b[H${'drawn\r\n'.repeat(below(30))}\x1b[2J\x1b[3J`,
  back: () => '\x1b[?1049l',
  topMargin: (nextWord, { list }, rows) =>
    rows < 4
      ? ''
      : `\x1b[3r\x1b[${rows};1H${list(9, () => `\r\n${nextWord()}`).join('')}\x1b[r\x1b[${rows}H\r\n`,
  bottomMargin: (nextWord, { list }, rows) =>
    rows < 4
      ? ''
      : `\x1b[1;${rows - 2}r\x1b[${rows - 2};1H${list(9, () => `\r\n${nextWord()}`).join('')}\x1b[r\x1b[${rows}H\r\n`,
};

/** Margins split words that wrap, so with margins each word has its own line. */
test.each([
  ['wraps, is cleared, and gets another size', ['print', 'lines', 'clear'], 2],
  ['is left for a full-screen program', ['print', 'lines', 'fullScreen'], 2],
  ['has margins', ['lines', 'clear', 'topMargin', 'bottomMargin'], 10],
])('every word is given once while the screen %s', { timeout: 60_000 }, (_how, names, minCols) => {
  for (let seed = 1; seed <= 60; seed++) {
    const random = seeded(seed);
    const { below, pick } = random;
    const { screen, write } = openScreen({ cols: 30, rows: 8 });
    const reader = new TextViewReader(screen);
    const words: string[] = [];
    const nextWord = () => {
      words.push(`${String(words.length).padStart(5, '0')}${pick(['.', '漢'])}`);
      return words.at(-1)!;
    };
    let readText = '';
    const read = () => {
      const view = reader.read();
      expect(view.gone).toBeUndefined();
      readText += `${view.continues ? '' : '\n'}${joinViewLines(view)}`;
    };
    const resize = () => screen.resize(minCols + below(60), 1 + below(20));
    for (let step = 0; step < 20; step++) {
      const name = pick(names);
      write(actions[name]!(nextWord, random, screen.modes.rows));
      if (below(3) === 0) read();
      if (below(3) === 0) resize();
      if (below(3) === 0) read();
      if (name === 'fullScreen') write(actions.back!(nextWord, random, 0));
    }
    write('\r\nend');
    read();
    for (const text of [readText, joinViewLines(textViewFrom(screen, 0))])
      for (const word of words) expect(text.split(word), `seed ${seed}: ${word}`).toHaveLength(2);
  }
});
