import { describe, expect, test } from 'vitest';
import { joinViewLines, TextViewReader, textViewFrom } from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';

const openReader = (options = {}) => {
  const { screen, write, ...rest } = openScreen({ cols: 40, ...options });
  const reader = new TextViewReader(screen);
  return { screen, write, reader, read: () => joinViewLines(reader.read()), ...rest };
};

describe('the text view', () => {
  test('resolves carriage returns, backspaces and cursor movement', () => {
    const { write, read } = openReader();
    write('10%\r20%\r100%\r\nab\b\bxy\r\none\x1b[3Dtwo\x1b[K\r\n');
    expect(read()).toBe('100%\nxy\ntwo');
  });

  test('joins the rows a line was wrapped onto', () => {
    const { write, read } = openReader({ cols: 10 });
    write('a line that is longer than the screen\r\nnext\r\n');
    expect(read()).toBe('a line that is longer than the screen\nnext');
  });

  test('does not put a blank where a wide character did not fit', () => {
    const { write, read } = openReader({ cols: 5 });
    write('ab漢字漢字\r\n');
    expect(read()).toBe('ab漢字漢字');
  });

  test('leaves no escape codes, no control characters and no blanks at the end', () => {
    const { write, read } = openReader();
    write('\x1b[1;31mred\x1b[0m  \r\n\x1b]0;title\x07\x1b[?2004hplain\x00\x7f\t\r\n');
    expect(read()).toBe('red\nplain');
  });

  test('gives each line once', () => {
    const { write, read } = openReader();
    write('one\r\ntwo\r\n');
    expect(read()).toBe('one\ntwo');
    expect(read()).toBe('');
    write('three\r\n');
    expect(read()).toBe('three');
  });

  test('gives what a later read finds even if it scrolled away in between', () => {
    const { write, read } = openReader({ rows: 3 });
    write('start\r\n');
    read();
    write(Array.from({ length: 300 }, (_, at) => `line ${at}\r\n`).join(''));
    expect(read().split('\n')).toEqual(Array.from({ length: 300 }, (_, at) => `line ${at}`));
  });

  test('gives a line that was redrawn after it was read once more, in its final form', () => {
    const { write, read } = openReader();
    write('job a: waiting\r\njob b: waiting\r\n');
    read();
    write('\x1b[2Ajob a: 10%   \r\x1b[Kjob a: done\x1b[2B\r');
    expect(read()).toBe('job a: done');
    expect(read()).toBe('');
  });

  test('does not repeat lines that only moved', () => {
    const { write, read } = openReader();
    write('one\r\ntwo\r\nthree\r\n');
    read();
    write('\x1b[2;1H\x1b[Lnew\x1b[5;1H');
    expect(read()).toBe('new');
  });

  test('goes on where a line was unfinished', () => {
    const { write, reader } = openReader();
    write('Downloading');
    expect(reader.read()).toMatchObject({ continues: false, lines: [{ text: 'Downloading' }] });
    write('... done\r\nnext\r\n');
    const view = reader.read();
    expect(view.continues).toBe(true);
    expect(joinViewLines(view)).toBe('... done\nnext');
  });

  test('keeps blank lines between others', () => {
    const { write, read } = openReader();
    write('one\r\n\r\nthree\r\n');
    expect(read()).toBe('one\n\nthree');
  });

  test('shows what is printed again after the screen was cleared', () => {
    const { write, read } = openReader();
    write('same\r\n');
    expect(read()).toBe('same');
    write('\x1b[H\x1b[2J\x1b[3Jsame\r\n');
    expect(read()).toBe('same');
  });

  test('keeps what was printed before the terminal was cleared or reset', () => {
    const { write, read } = openReader();
    write('one\r\n\x1b[H\x1b[2J\x1b[3Jtwo\r\n\x1bcthree\r\n');
    expect(read()).toBe('one\ntwo\nthree');
  });

  test('tells nothing twice when the alternate screen is cleared or scrolled', () => {
    const { screen, write } = openReader({ rows: 3 });
    write(Array.from({ length: 9 }, (_, at) => `line ${at}\r\n`).join(''));
    const before = joinViewLines(textViewFrom(screen, 0));
    write('\x1b[?1049hdrawn\x1b[2J\x1b[3Jdrawn\x1b[2S\x1b[?1049l');
    expect(joinViewLines(textViewFrom(screen, 0))).toBe(before);
  });

  test('has nothing of the alternate screen', () => {
    const { write, read } = openReader();
    write('before\r\n\x1b[?1049h\x1b[Hdrawn\r\n\n\n\n\n\n\nmore\x1b[?1049lafter\r\n');
    expect(read()).toBe('before\nafter');
  });

  test('what was skipped is read, but for what it becomes later', () => {
    const { write, read, reader } = openReader();
    write(`${'scrolled away\r\n'.repeat(50)}one\r\ntwo`);
    reader.skip();
    expect(read()).toBe('');
    write(' and a half\r\nthree\x1b[2A\rONE\x1b[2B\r\n');
    expect(joinViewLines(reader.read())).toBe('ONE\n and a half\nthree');
    write('skipped\r\n');
    reader.skip([{ from: 0, to: 0 }]);
    write('four\r\n');
    expect(read()).toBe('four');
  });

  test('tells a reader only of lines gone that it has not read', () => {
    const { write, reader } = openReader({ history: { maxLines: 100 } });
    const print = (lines: number) => {
      for (let line = 0; line < lines; line++) write(`${line}\r\n`);
    };
    print(50);
    expect(reader.read()).not.toHaveProperty('gone');
    print(500);
    const { lines, gone } = reader.read();
    expect(lines.length + gone!.lines).toBe(500);
    expect(reader.read()).not.toHaveProperty('gone');
  });

  test('readers do not disturb each other', () => {
    const { screen, write, read } = openReader();
    const other = new TextViewReader(screen);
    write('one\r\n');
    expect(read()).toBe('one');
    write('two\r\n');
    expect(joinViewLines(other.read())).toBe('one\ntwo');
    expect(read()).toBe('two');
  });
});

describe('spans to leave out', () => {
  test('a prompt and an echo, found by shell marks', () => {
    const { screen, write, reader, events } = openReader();
    write('\x1b]133;A\x07$ \x1b]133;B\x07');
    write('ls -l\r\n\x1b]133;C\x07total 0\r\n\x1b]133;D;0\x07');
    write('\x1b]133;A\x07$ \x1b]133;B\x07');
    const at = events.map(({ position }) => position);
    const hidden = [
      { from: at[0]!, to: at[1]! },
      { from: at[1]!, to: at[2]! },
      { from: at[4]!, to: at[5]! },
    ];
    expect(joinViewLines(reader.read(hidden))).toBe('total 0');
    expect(screen.textBeforeCursor).toBe('$ ');
  });

  test('an echo in the middle of a line, found by anchors', () => {
    const { screen, write, reader } = openReader();
    write('Your name: ');
    const from = screen.anchor();
    write('Bob\r\n');
    const to = screen.anchor();
    write('Hello Bob\r\n');
    expect(joinViewLines(reader.read([{ from, to }]))).toBe('Your name:\nHello Bob');
  });

  test('stay left out when the screen scrolls and gets another size', () => {
    const { screen, write, reader } = openReader({ cols: 12, rows: 3 });
    write('0123456789 ');
    const from = screen.anchor();
    write('echoed text that wraps\r\n');
    const to = screen.anchor();
    write('answer\r\n');
    screen.resize(7, 4);
    write('x\r\n'.repeat(200));
    screen.resize(50, 9);
    const lines = joinViewLines(reader.read([{ from, to }])).split('\n');
    expect(lines.slice(0, 3)).toEqual(['0123456789', 'answer', 'x']);
  });

  test('stay left out in later reads, which need not be given the spans again', () => {
    const { screen, write, reader } = openReader();
    const from = screen.anchor();
    write('$ ls\r\n');
    const to = screen.anchor();
    write('out\r\n');
    expect(joinViewLines(reader.read([{ from, to }]))).toBe('out');
    write('more\r\n');
    expect(joinViewLines(reader.read())).toBe('more');
  });

  test('a line of which nothing remains is not there at all', () => {
    const { screen, write, reader } = openReader();
    const from = screen.anchor();
    write('$ \r\n');
    const to = screen.anchor();
    write('\r\nout\r\n');
    expect(joinViewLines(reader.read([{ from, to }]))).toBe('\nout');
  });
});

describe('text from a position', () => {
  test('begins with the line that holds it', () => {
    const { screen, write, read } = openReader();
    write('one\r\ntwo\r\nthree\r\n');
    read();
    expect(joinViewLines(textViewFrom(screen, 6))).toBe('two\nthree');
    expect(textViewFrom(screen, 0).lines.map(({ position }) => position)).toEqual([0, 5, 10]);
  });

  test('leaves out no row that a program has drawn above another', () => {
    const { screen, write } = openScreen();
    write('\x1b[5;1Hfive\x1b[3;1Hthree');
    expect(joinViewLines(textViewFrom(screen, 0))).toBe('\n\nthree\n\nfive');
    write('\x1b[H\x1b[2J');
    const { position } = screen;
    write('\x1b[4;1Hfour\x1b[?25l\x1b[2;1Htwo\x1b[?25h');
    expect(joinViewLines(textViewFrom(screen, position))).toContain('two\n\nfour');
  });

  test('says how much of it is gone', () => {
    const { screen, write } = openScreen({ history: { maxLines: 100 } });
    for (let line = 0; line < 2000; line++) write(`${String(line).padStart(8)}\r\n`);
    for (const from of [0, 5000]) {
      const { lines, gone } = textViewFrom(screen, from);
      expect(lines.length + gone!.lines).toBe(2000 - from / 10);
      expect(gone).toMatchObject({ before: 0, bytes: lines[0]!.position - from });
    }
    expect(textViewFrom(screen, 19_900).gone).toBeUndefined();
  });
});
