import { describe, expect, test } from 'vitest';
import { Pattern } from '../../src/views/pattern.ts';

describe('a pattern', () => {
  test.each<[pattern: string, text: string, match: string | undefined]>([
    ['error', 'an error', 'error'],
    ['Error', 'an error', undefined],
    ['(?i)Error', 'an error', 'error'],
    ['(?i)é', 'É', 'É'],
    ['a.b', 'a\nb', undefined],
    ['(?s)a.b', 'a\nb', 'a\nb'],
    ['(?is)A.B', 'a\nb', 'a\nb'],
    ['^>>> $', '1\n>>> ', '>>> '],
    ['(?m)^two$', 'one\ntwo\nthree', 'two'],
    ['\\d+\\-\\d+', 'from 1-2', '1-2'],
    ['{"ok": \\w+}', '{"ok": true}', '{"ok": true}'],
    ['(\\w)\\1', 'hello', 'll'],
    ['\\p{Lu}+', 'das ÄÖ', 'ÄÖ'],
    ['[😀😁]', '😂', undefined],
    ['[✓✗]', 'done ✓', '✓'],
    ['\\x1b|\\u2713', '✓', '✓'],
    ['', 'anything', ''],
  ])('%j in %j is %j', (pattern, text, match) => {
    expect(new Pattern(pattern).exec(text)?.[0]).toBe(match);
  });

  test.each<[pattern: string, reason: string, position?: number]>([
    ['a(b', 'Unterminated group', 1],
    ['(a)(b', 'Unterminated group', 3],
    ['a)b', "Unmatched ')'", 1],
    ['ab**', 'Nothing to repeat', 3],
    ['+', 'Nothing to repeat', 0],
    ['(?i)x[a', 'Unterminated character class', 5],
    ['a\\', '\\ at end of pattern', 1],
    ['[z-a]', 'Range out of order in character class', 3],
    ['(?P<name>x)', 'Invalid group', 1],
    ['\\Astart', 'JavaScript has no \\A', 0],
    ['end\\Z', 'JavaScript has no \\Z', 3],
    ['(?i)\\p{L}', '(?i) cannot stand with \\p{…}, \\u{…} or an emoji'],
    ['a'.repeat(1001), 'it is longer than 1000 characters'],
  ])('%s is refused: %s, at %s', (pattern, reason, position) => {
    const details = position === undefined ? { pattern, reason } : { pattern, reason, position };
    expect(() => new Pattern(pattern)).toThrow(
      expect.objectContaining({ code: 'INVALID_PATTERN', details }),
    );
  });

  test('an escaped backslash before a letter is no foreign escape', () => {
    expect(new Pattern('C:\\\\Zoo').exec('in C:\\Zoo')?.index).toBe(3);
  });

  test.each([
    ['^(a+)+$', `${'a'.repeat(40)}!`],
    ['(x+x+)+y', 'x'.repeat(60)],
    ['(.*)*=(.*)*;', '='.repeat(5000)],
    ['^(\\w+\\s?)*$', `${'word '.repeat(20)}!`],
    ['(?:a|aa)+$', `${'a'.repeat(100)}b`],
    ['a*a*a*a*a*b', 'a'.repeat(3000)],
    ['\\s+$', `${' '.repeat(1_000_000)}x`],
    ['^(?:(\\w)|\\s)+$', `${'ab'.repeat(5_000_000)}!`],
  ])('%s is given up, and the next match is not hurt by it', (source, text) => {
    const pattern = new Pattern(source);
    const started = performance.now();
    expect(() => pattern.exec(text, 20)).toThrow(
      expect.objectContaining({
        code: 'PATTERN_TOO_SLOW',
        details: { pattern: source, limitMs: 20 },
      }),
    );
    // The limit is kept within a millisecond on an idle machine; the rest is for a busy one.
    expect(performance.now() - started).toBeLessThan(5000);
    expect(new Pattern('b').exec('abc')?.index).toBe(1);
  });
});
