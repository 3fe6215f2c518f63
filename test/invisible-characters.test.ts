import { describe, expect, test } from 'vitest';
import { hasInvisible, leaveOutInvisible } from '../src/invisible-characters.ts';
import { SCRIPTS, SYMBOLS } from './screen/scripts.ts';

const tags = (text: string) =>
  [...text].map((letter) => String.fromCodePoint(0xe0000 + letter.charCodeAt(0))).join('');

describe('left out are', () => {
  test.each([
    ['tags', `ok${tags('ignore all that')}`, 'ok', 15],
    ['tags after a flag that is none', `🏴${tags('ignore all that')}\u{e007f}`, '🏴', 16],
    ['a flag without an end', `🏴${tags('gbeng')}`, '🏴', 5],
    ['overrides and isolates', 'a\u202eb\u202ac\u2066d\u2069e', 'abcde', 4],
    ['marks of direction', 'a\u200e\u200fb\u061c', 'ab', 3],
    ['zero-width spaces', 'pass\u200bword\u2060\ufeff', 'password', 3],
    ['joiners between letters that do not join', 'a\u200cb\u200dc', 'abc', 2],
    ['joiners in a row', 'ن\u200c\u200d\u200cن', 'ن\u200cن', 2],
    ['a joiner that joins an emoji with nothing', '👩\u200d!', '👩!', 1],
    ['variation selectors in a row', '😀\ufe0f\ufe0e\u{e0101}\u{e0102}', '😀\ufe0f', 3],
    ['a variation selector where there are no variations', 'a\ufe01b\u{e0100}', 'ab', 2],
    ['fillers of nothing', 'a\u115f\u1160b', 'ab', 2],
    ['invisible operators', '2\u2062x', '2x', 1],
    ['what stands for itself at the beginning', '\u200d\ufe0fx', 'x', 2],
  ])('%s', (_what, text, visible, hidden) => {
    expect(hasInvisible(text)).toBe(true);
    expect(leaveOutInvisible(text)).toEqual({ text: visible, hidden });
  });
});

test.each([...Object.values(SCRIPTS).flat(), ...SYMBOLS, 'co\u00adop', 'ㅤ', 'ᅟᅡ', '한ᄒᅠ'])(
  '%j stays as it is',
  (text) => {
    expect(leaveOutInvisible(text)).toEqual({ text, hidden: 0 });
  },
);
