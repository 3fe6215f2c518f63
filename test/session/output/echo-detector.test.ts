import { describe, expect, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { EchoDetector } from '../../../src/session/output/echo-detector.ts';
import { writeOutputToScreen } from '../../../src/session/output/write-output-to-screen.ts';
import { joinViewLines, textViewFrom } from '../../../src/views/text.ts';

const begin = (cols = 80) => {
  const screen = new Screen({ cols, rows: 10 });
  const echo = new EchoDetector(screen);
  const write = (text: string) => writeOutputToScreen(Buffer.from(text), screen, echo);
  const text = () => joinViewLines(textViewFrom(screen, 0, echo.spans));
  return { echo, write, text };
};

describe('an echo', () => {
  test('is the line of the cursor, with the typed text after what was there', () => {
    const { echo, write, text } = begin();
    write('$ ');
    echo.expect(['echo hi']);
    write('echo hi\r\nhi\r\n$ ');
    expect(text()).toBe('hi\n$');
  });

  test.each(['', 'ab', 'abcd'])(
    'is known though of what was typed on the line before only %j has arrived',
    (arrived) => {
      const { echo, write, text } = begin();
      write(`$ ${arrived}`);
      echo.expect(['ef'], 'abcd');
      write(`${'abcd'.slice(arrived.length)}ef\r\nout\r\n`);
      expect(text()).toBe('out');
    },
  );

  test('is known however the line editor draws it', () => {
    const { echo, write, text } = begin();
    write('>>> ');
    echo.expect(['print(1)']);
    write('p\rprint(\b\x1b[K>>> \r\x1b[K\x1b[1m>>> \x1b[mprint(1)\r\n1\r\n>>> ');
    expect(text()).toBe('1\n>>>');
  });

  test('is known by the blanks that a tab has become', () => {
    const { echo, write, text } = begin();
    write('$ ');
    echo.expect(['one\ttwo\t.']);
    write('one\ttwo\t.\r\none\ttwo\t.\r\n');
    expect(text()).toBe('one     two     .');
  });

  test('with a tab is known also where nothing stood, and behind prompts of its own', () => {
    const { echo, write, text } = begin();
    echo.expect(['\tone \ttwo']);
    write('\tone \ttwo\r\n');
    expect(text()).toBe('');
    echo.expect(['if 1:', '\tprint(1,\t2)', '']);
    write('>>> if 1:\r\n... \tprint(1,\t2)\r\n... \r\n1 2\r\n');
    expect(text()).toBe('1 2');
  });

  test('of a paste that is redrawn is known to its last line, though the first ends alike', () => {
    const { echo, write, text } = begin();
    write('$ ');
    const lines = ['cat <<X', '1', '2', '3', '4', '5', 'X'];
    echo.expect(lines);
    write(lines.join('\r\n'));
    write(`\x1b[6A\r$ ${lines.join('\r\n')}\r\n1\r\n2\r\n`);
    expect(text()).toBe('1\n2');
  });

  test('is left out while it is still being drawn', () => {
    const { echo, write, text } = begin();
    write('said\r\n$ ');
    echo.expect(['sleep 5']);
    write('sle');
    expect(text()).toBe('said');
  });

  test('is known over several rows', () => {
    const { echo, write, text } = begin(10);
    write('$ ');
    echo.expect(['echo 0123456789']);
    write('echo 0123456789\r\n0123456789\r\n');
    expect(text()).toBe('0123456789');
  });

  test('of several lines comes after prompts of their own', () => {
    const { echo, write, text } = begin();
    write('>>> ');
    echo.expect(['def f():', '  return 1', '', 'f()']);
    write('def f():\r\n...   return 1\r\n... \r\n>>> f()\r\n1\r\n>>> ');
    expect(text()).toBe('1\n>>>');
  });

  test('is not what the program prints itself, even if it is the same', () => {
    const { echo, write, text } = begin();
    write('? ');
    echo.expect(['yes']);
    write('yes\r\nyes\r\n');
    expect(text()).toBe('yes');
  });

  test('may come after lines of another program', () => {
    const { echo, write, text } = begin();
    write('$ ');
    echo.expect(['ls']);
    write('\r[1]+ Done sleep\r\n$ ls\r\nfile\r\n');
    expect(text()).toContain('file');
    expect(text()).toContain('Done');
  });

  test('may be ended twice, where a preview was shown below it', () => {
    const { echo, write, text } = begin();
    write('> ');
    echo.expect(['answer']);
    write('answer\r\n42\x1b[9G\x1b[1A\x1b[1B\x1b[2K\x1b[1A\r\r\n42\r\n> ');
    expect(text()).toBe('42\n>');
  });

  test('of a line typed ahead comes again, after the prompt that the program had', () => {
    const { echo, write, text } = begin();
    write('>>> ');
    echo.expect(['work()']);
    write('work()\r\n');
    echo.expect(['a']);
    write('a\r\nworked\r\n');
    echo.expect(['b']);
    write('b\r\n>>> a\r\n1\r\n>>> b\r\n2\r\n>>> ');
    expect(text()).toBe('worked\n1\n2\n>>>');
  });

  test('does not come again after anything else', () => {
    const { echo, write, text } = begin();
    write('>>> ');
    echo.expect(['work()']);
    write('work()\r\n');
    echo.expect(['a']);
    write('a\r\na\r\n... a\r\n>>> ab\r\n');
    expect(text()).toBe('a\n... a\n>>> ab');
  });

  test('of two lines typed at once is known in the order of typing', () => {
    const { echo, write, text } = begin();
    echo.expect(['one']);
    echo.expect(['two']);
    write('one\r\none\r\ntwo\r\ntwo\r\n');
    expect(text()).toBe('one\ntwo');
  });

  test('that never came does not keep a later one from being known', () => {
    const { echo, write, text } = begin();
    echo.expect(['hidden']);
    write('$ ');
    echo.expect(['ls']);
    write('ls\r\nfile\r\n');
    expect(text()).toBe('file');
  });

  test('has the blank lines of a paste, but not those of the output', () => {
    const { echo, write, text } = begin();
    write('\x1b[?2004h$ ');
    const lines = ['cat <<X', '', '', '', '', 'X'];
    echo.expect(lines);
    write(lines.join('\r\n'));
    write(`\x1b[5A\r$ ${lines.join('\r\n')}\r\n\x1b[?2004l\r\r\n\r\n\r\n\r\nend\r\n`);
    expect(text()).toBe('\n\n\n\nend');
  });

  test('may be left by a movement of the cursor', () => {
    const { echo, write, text } = begin();
    write('irb> ');
    echo.expect(['6*7']);
    write('\x1b[1Girb> 6*7\x1b[K\x1b[1G\x1b[1B=> 42\r\nirb> ');
    expect(text()).toBe('=> 42\nirb>');
  });

  test('that was overwritten is no echo any more', () => {
    const { echo, write, text } = begin();
    write('$ ');
    echo.expect(['make']);
    write('make\r\n\x1b[1A\r\x1b[K100 % done\r\n');
    expect(text()).toContain('100 % done');
  });

  test('that never comes costs nothing', () => {
    const { echo, write, text } = begin();
    echo.expect(['hidden']);
    write('one\r\ntwo\r\nthree\r\nhidden\r\n');
    expect(text()).toBe('one\ntwo\nthree\nhidden');
  });

  test('is distinguished from an answer piece by piece', () => {
    const { echo, write } = begin();
    write('$ ');
    echo.expect(['echo hi']);
    const isEcho = ['ec', 'ho hi', '\x1b[?2004l', '\r\n', '\x1b[K'].map(write);
    expect(isEcho).toEqual([true, true, true, true, true]);
    expect(write('h')).toBe(false);
    expect(write('\x1b[K')).toBe(false);
  });

  test('does not hide an answer of whole lines, or on a screen of its own', () => {
    const { echo, write } = begin();
    for (const answer of ['x\r\nhi\r\n', 'x\r\n\r\n', 'x\r\n\x1b[?1049h', 'y']) {
      write('\r\n');
      echo.expect(['x']);
      expect(write(answer)).toBe(false);
    }
  });
});
