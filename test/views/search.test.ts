import { describe, expect, test } from 'vitest';
import { Pattern } from '../../src/views/pattern.ts';
import { foundText, type SearchedLine, search } from '../../src/views/search.ts';

const linesOf = (texts: readonly string[]): SearchedLine[] =>
  texts.map((text, index) => ({ line: index + 1, position: 1000 + 10 * index, text }));

const numbered = linesOf(Array.from({ length: 20 }, (_, index) => `line ${index + 1}`));

const grep = async (pattern: string, options: Parameters<typeof search>[2]) =>
  foundText(search(numbered, await Pattern.compile(pattern), options)).map(({ text }) => text);

describe('search', async () => {
  test('gives each match with its line, its position and its context', async () => {
    expect(search(numbered, await Pattern.compile('^line 7$'), { context: 1 })).toEqual({
      lines: [
        { line: 6, position: 1050, text: 'line 6', matched: false },
        { line: 7, position: 1060, text: 'line 7', matched: true },
        { line: 8, position: 1070, text: 'line 8', matched: false },
      ],
      matches: 1,
      shown: 1,
    });
  });

  test('matches a line that is kept in pieces as one, except where a piece is gone', async () => {
    const lost = { lines: 1, bytes: 2 };
    const pieces: SearchedLine[] = [
      { line: 1, position: 0, text: 'ab' },
      { line: 2, position: 2, text: 'cd', continues: true },
      { line: 4, position: 6, text: 'ef', continues: true, lost },
    ];
    expect(search(pieces, await Pattern.compile('bc|de')).lines).toEqual([
      { line: 1, position: 0, text: 'abcd', matched: true },
      { line: 4, position: 6, text: 'ef', matched: false },
    ]);
  });

  test.each<[what: string, pattern: string, Parameters<typeof search>[2], text: string[]]>([
    ['no match is no lines', 'nothing', {}, []],
    ['context stops at the first line', '^line 1$', { context: 1 }, ['1:line 1', '2-line 2']],
    ['context stops at the last line', '20', { context: 1 }, ['19-line 19', '20:line 20']],
    ['no context on request', '[12]0', { context: 0 }, ['10:line 10', '--', '20:line 20']],
    [
      'contexts that touch are one',
      '(4|7)$',
      { context: 1, maxMatches: 2 },
      ['3-line 3', '4:line 4', '5-line 5', '6-line 6', '7:line 7', '8-line 8'],
    ],
    [
      'contexts that overlap give no line twice',
      '[67]$',
      { context: 2, maxMatches: 2 },
      ['4-line 4', '5-line 5', '6:line 6', '7:line 7', '8-line 8', '9-line 9'],
    ],
    ['the first matches are shown', '.', { context: 3, maxMatches: 2 }, ['1:line 1', '2:line 2']],
  ])('%s', async (_what, pattern, options, text) => {
    expect(await grep(pattern, options)).toEqual(text);
  });

  test('counts the matches that are too many to be shown', async () => {
    const { matches, shown } = search(numbered, await Pattern.compile('1'), { maxMatches: 3 });
    expect({ matches, shown }).toEqual({ matches: 11, shown: 3 });
  });

  test('finds the same in many batches as in one', async () => {
    const texts = Array.from(
      { length: 30_000 },
      (_, index) => `${index} ${'.'.repeat(index % 90)}`,
    );
    const { lines, matches } = search(linesOf(texts), await Pattern.compile('^\\d*99 '), {
      maxMatches: 1000,
      // On a busy machine a second is not enough, and time is not what this is about.
      limitMs: 15_000,
    });
    const expected = texts.flatMap((text, index) => (/^\d*99 /.test(text) ? [index + 1] : []));
    expect(lines.filter(({ matched }) => matched).map(({ line }) => line)).toEqual(expected);
    expect(matches).toBe(expected.length);
  });

  test('a pattern that takes too long is given up', async () => {
    const lines = linesOf(['fine', `${'a'.repeat(40)}!`]);
    const pattern = await Pattern.compile('^(a+)+$');
    expect(() => search(lines, pattern, { limitMs: 20 })).toThrow(
      expect.objectContaining({ code: 'PATTERN_TOO_SLOW' }),
    );
  });
});
