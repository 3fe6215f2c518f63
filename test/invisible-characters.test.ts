import { describe, expect, test } from 'vitest';
import { hasInvisible, leaveOutInvisible } from '../src/invisible-characters.ts';
import { forSeeds } from './helpers/seeded.ts';
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
    ['joiners on a vowel that nobody sees', 'x\u17b4\u200d\u17b4\u200c\u17b5\u200d', 'x', 6],
    ['joiners on marks that nobody sees', 'ن\u061c\u200d\u061c\u200c', 'ن', 4],
    ['joiners on blanks', 'ᠠ\u202f\u200d\u202f\u200c', 'ᠠ\u202f\u202f', 2],
    [
      'more than one joiner on a letter',
      'ن\u064e\u200d\u064e\u200c\u064e\u200d',
      'ن\u064e\u200d\u064e\u064e',
      2,
    ],
    ['joiners on a pile of marks', `ن${'\u064e'.repeat(9)}\u200d`, `ن${'\u064e'.repeat(9)}`, 1],
    ['what keeps no marks in order', 'e\u0301\u034f\u034f\u034f\u0302', 'e\u0301\u0302', 3],
    ['it, without a letter', ' \u0301\u034f\u0302\u034f\u0301', ' \u0301\u0302\u0301', 2],
    [
      'it, again and again',
      'e\u0301\u034f\u0302\u034f\u0301\u034f\u0302',
      'e\u0301\u034f\u0302\u0301\u0302',
      2,
    ],
    ['it, between selectors', 'e\ufe01\u034f\ufe02\u034f\ufe01', 'e', 5],
    ['forms of a form', 'ᠠ\u180b\u180c\u180d\u180b\u180f', 'ᠠ\u180b', 4],
    ['variations of a blank', '\u3000\ufe00\u3000\ufe01', '\u3000\u3000', 2],
    ['words in flags', `🏴${tags('ignore')}\u{e007f}🏴${tags('all')}\u{e007f}`, '🏴🏴', 11],
    ['whole bytes beside each letter', '漢\u{e0141}字\u{e01ef}', '漢字', 2],
    ['invisible operators', '2\u2062x', '2x', 1],
    ['what stands for itself at the beginning', '\u200d\ufe0fx', 'x', 2],
  ])('%s', (_what, text, visible, hidden) => {
    expect(hasInvisible(text)).toBe(true);
    expect(leaveOutInvisible(text)).toEqual({ text: visible, hidden });
  });
});

const MORE = [
  'co\u00adop',
  'ㅤ',
  'ᅟᅡ',
  '한ᄒᅠ',
  // Consonants with nukta, virama and a joiner; a vowel kept apart; marks of Hebrew in their order.
  'क\u093c\u094d\u200dष',
  'ක්\u200dර',
  'র\u200d্য',
  'ᠨ\u180b\u180eᠠ',
  'ל\u05b7\u034f\u05b4',
  '葛\u{e0100}',
];

test.each([...Object.values(SCRIPTS).flat(), ...SYMBOLS, ...MORE])('%j stays as it is', (text) => {
  expect(leaveOutInvisible(text)).toEqual({ text, hidden: 0 });
});

test('whatever is printed, at most two signs stay for each visible character', () => {
  const SIGNS = [
    '\u200c',
    '\u200d',
    '\u034f',
    '\ufe00',
    '\ufe0f',
    '\u180b',
    '\u180e',
    '\u115f',
    '\u1160',
  ];
  const OTHERS = [
    '\u17b4',
    '\u061c',
    '\u{e0100}',
    '\u{e0067}',
    '\u{e007f}',
    '\u3000',
    ' ',
    '\u202f',
  ];
  const SEEN = [
    'ن',
    'क',
    '\u094d',
    '\u0301',
    'ᠠ',
    '漢',
    '👩',
    '🏴',
    '0',
    'a',
    '\u1100',
    '\u1161',
    'ក',
  ];
  const isSeen = (character: string) => /[^\s]/.test(character) && !hasInvisible(character);
  forSeeds(2000, ({ below, pick }) => {
    const text = Array.from({ length: below(30) }, () => pick([...SIGNS, ...OTHERS, ...SEEN])).join(
      '',
    );
    const kept = [...leaveOutInvisible(text).text];
    const signs = kept.filter(hasInvisible).length;
    expect(signs, JSON.stringify(text)).toBeLessThanOrEqual(2 * kept.filter(isSeen).length);
    // Nothing stays that stays only because of what was left out.
    expect(leaveOutInvisible(kept.join(''))).toEqual({ text: kept.join(''), hidden: 0 });
  });
});
