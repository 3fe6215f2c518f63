import { describe, expect, test } from 'vitest';
import { OutputScanner } from '../../../src/screen/sequences/output-scanner.ts';
import { seeded } from '../../helpers/seeded.ts';

const scan = (text: string) => {
  const scanner = new OutputScanner();
  const isPlain = scanner.scan(Buffer.from(text));
  return { isPlain, scanner };
};

describe('plain output', () => {
  test.each([
    ['text', 'hello world'],
    ['lines', 'one\r\ntwo\n'],
    ['tabs and backspaces', 'a\tb\b'],
    ['colours', '\x1b[1;31mred\x1b[m\x1b[38:2::1:2:3m'],
    ['other scripts', 'é漢字😀«»\u00a0'],
    ['half a colour', 'a\x1b[3'],
    ['half a character', '\u{e9}'.slice(0, 1)],
  ])('%s', (_what, text) => expect(scan(text).isPlain).toBe(true));

  test.each([
    ['cursor movement', '\x1b[2A'],
    ['a mode', '\x1b[?25l'],
    ['a title', '\x1b]0;t\x07'],
    ['a bell', '\x07'],
    ['vertical tab', '\x0b'],
    ['another charset', '\x0e'],
    ['a question', '\x1b[6n'],
    ['a private SGR', '\x1b[>4;1m'],
    ['a control as UTF-8', '\u0085'],
    ['a CSI as UTF-8', '\u009b31m'],
    ['a control within a colour', '\x1b[3\n1m'],
    ['a broken off sequence', '\x1b[3\x1b[31m'],
    ['DEL', '\x7f'],
    ['NUL', '\0'],
  ])('is not %s', (_what, text) => expect(scan(text).isPlain).toBe(false));
});

describe('a sequence that has not ended', () => {
  test.each(['\x1b', '\x1b[', '\x1b[?20', '\x1b]0;tit', '\x1bP$q', '\x1b]0;t\x1b', '\x1b('])(
    '%j is held back',
    (start) => {
      const { scanner } = scan(`text${start}`);
      expect(scanner.parseableEnd).toBeGreaterThanOrEqual(4);
      expect(scanner.parseableEnd).toBeLessThan(4 + start.length);
    },
  );

  test('is held back as a whole, also when it may be about to end', () => {
    expect(scan('text\x1b]0;title\x1b').scanner.parseableEnd).toBe(4);
  });

  test('is let through when it is too long', () => {
    const { scanner } = scan(`\x1b]52;c;${'A'.repeat(100_000)}`);
    expect(scanner.parseableEnd).toBe(scanner.position);
    expect(scanner.scan(Buffer.from('more'))).toBe(false);
    scanner.scan(Buffer.from('\x07'));
    expect(scanner.scan(Buffer.from('plain'))).toBe(true);
  });
});

test('what is found does not depend on how the bytes are cut, or where they lie in memory', () => {
  for (let seed = 1; seed <= 2000; seed++) {
    const { below, pick } = seeded(seed);
    const pieces = [
      'text and text',
      '\n',
      '\r\n',
      '\x1b[31m',
      '\x1b]0;x\x07',
      '\x1b[?1h',
      'é',
      '\u0085',
      '\x07',
    ];
    const text = Array.from({ length: 1 + below(20) }, () => pick(pieces)).join('');
    const bytes = Buffer.from(text);
    const whole = new OutputScanner();
    const isPlain = whole.scan(bytes);
    expect(whole.newlines).toBe(text.split('\n').length - 1);

    const cut = new OutputScanner();
    let newlines = 0;
    let cutIsPlain = true;
    for (let at = 0; at < bytes.length; ) {
      const to = Math.min(bytes.length, at + 1 + below(12));
      const memory = new Uint8Array(32);
      const offset = below(8);
      memory.set(bytes.subarray(at, to), offset);
      cutIsPlain = cut.scan(memory.subarray(offset, offset + to - at)) && cutIsPlain;
      newlines += cut.newlines;
      at = to;
    }
    expect(
      [cutIsPlain, newlines, cut.stops, cut.parseableEnd, cut.lastEscape],
      `seed ${seed}`,
    ).toEqual([isPlain, whole.newlines, whole.stops, whole.parseableEnd, whole.lastEscape]);
  }
});
