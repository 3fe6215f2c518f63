import { expect, test } from 'vitest';
import { graphemePrefixWithin, graphemeSuffixWithin } from '../../src/views/graphemes.ts';
import { forSeeds } from '../helpers/seeded.ts';

const graphemes = [
  'a',
  'é',
  'e\u0301',
  '中',
  '😀',
  '👨‍👩‍👧',
  '👍🏽',
  '🇨🇭',
  ' ',
  '\u0e01\u0e47',
  '\ud83d',
];

test('an end of a text is as many whole graphemes as fit, and none more would', () => {
  forSeeds(600, ({ list, pick, below }) => {
    // Adjacent flags can only be separated by counting, so each stands alone here.
    const all = list(30, () => `${pick(graphemes)}|`);
    const text = all.join('');
    const maxBytes = below(100);
    const segments = [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment);
    const fitting = (parts: readonly string[]) => {
      let bytes = 0;
      const count = parts.findIndex((part) => {
        bytes += Buffer.byteLength(part);
        return bytes > maxBytes;
      });
      return count === -1 ? parts.length : count;
    };
    const head = fitting(segments);
    expect(graphemePrefixWithin(text, maxBytes)).toBe(segments.slice(0, head).join(''));
    const tail = fitting(segments.toReversed());
    expect(graphemeSuffixWithin(text, maxBytes)).toBe(
      segments.slice(segments.length - tail).join(''),
    );
  });
});

test('a letter with more accents than anybody writes is cut within, not left out', () => {
  const text = `a${'\u0301'.repeat(300)}`;
  expect(graphemePrefixWithin(text, 101)).toBe(text.slice(0, 51));
  expect(graphemeSuffixWithin(text, 100)).toBe(text.slice(-50));
  expect(graphemePrefixWithin(text, 401)).toBe(text.slice(0, 201));
  expect(graphemeSuffixWithin(text, 400)).toBe(text.slice(-200));
});
