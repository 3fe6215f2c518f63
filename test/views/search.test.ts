import { Script } from 'node:vm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { Pattern } from '../../src/views/pattern.ts';
import { type SearchedLine, searchLines, searchResultLines } from '../../src/views/search.ts';

/** On a busy machine a second is not enough, and most of these tests are not about time. */
const PATIENT_MS = 15_000;

const linesOf = (texts: readonly string[]): SearchedLine[] =>
  texts.map((text, index) => ({ line: index + 1, position: 1000 + 10 * index, text }));

const numbered = linesOf(Array.from({ length: 20 }, (_, index) => `line ${index + 1}`));

const grep = async (pattern: string) =>
  searchResultLines(searchLines(numbered, await Pattern.compile(pattern), PATIENT_MS)).map(
    ({ text }) => text,
  );

describe('search', async () => {
  test('gives each match with its line, its position and its context', async () => {
    expect(searchLines(numbered, await Pattern.compile('^line 7$'), PATIENT_MS)).toEqual({
      lines: [
        { line: 5, position: 1040, text: 'line 5', matched: false },
        { line: 6, position: 1050, text: 'line 6', matched: false },
        { line: 7, position: 1060, text: 'line 7', matched: true },
        { line: 8, position: 1070, text: 'line 8', matched: false },
        { line: 9, position: 1080, text: 'line 9', matched: false },
      ],
      matches: 1,
      shown: 1,
    });
  });

  test.each<[what: string, pattern: string, text: string[]]>([
    ['no match is no lines', 'nothing', []],
    ['context stops at the first line', '^line 1$', ['1:line 1', '2-line 2', '3-line 3']],
    ['context stops at the last line', '20', ['18-line 18', '19-line 19', '20:line 20']],
    [
      'what lies between contexts is left out',
      '^line (1|20)$',
      ['1:line 1', '2-line 2', '3-line 3', '--', '18-line 18', '19-line 19', '20:line 20'],
    ],
    [
      'contexts that touch are one',
      '^line (1|6)$',
      [
        '1:line 1',
        '2-line 2',
        '3-line 3',
        '4-line 4',
        '5-line 5',
        '6:line 6',
        '7-line 7',
        '8-line 8',
      ],
    ],
    [
      'contexts that overlap give no line twice',
      '^line [67]$',
      ['4-line 4', '5-line 5', '6:line 6', '7:line 7', '8-line 8', '9-line 9'],
    ],
  ])('%s', async (_what, pattern, text) => {
    expect(await grep(pattern)).toEqual(text);
  });

  test('counts the matches that are too many to be shown: the first hundred are', async () => {
    const lines = linesOf(Array.from({ length: 250 }, (_, index) => `line ${index + 1}`));
    const found = searchLines(lines, await Pattern.compile('.'), PATIENT_MS);
    expect(found).toMatchObject({ matches: 250, shown: 100 });
    expect(found.lines.map(({ line }) => line)).toEqual(
      lines.slice(0, 100).map(({ line }) => line),
    );
  });

  test('finds the same in many batches as in one', async () => {
    const texts = Array.from(
      { length: 30_000 },
      (_, index) => `${index} ${'.'.repeat(index % 90)}`,
    );
    const pattern = await Pattern.compile('^\\d*[02468]999 ');
    const { lines, matches } = searchLines(linesOf(texts), pattern, PATIENT_MS);
    const expected = texts.flatMap((text, index) =>
      /^\d*[02468]999 /.test(text) ? [index + 1] : [],
    );
    expect(expected).toHaveLength(14);
    expect(lines.filter(({ matched }) => matched).map(({ line }) => line)).toEqual(expected);
    expect(matches).toBe(expected.length);
  });

  test('a pattern that takes too long is given up', async () => {
    const lines = linesOf(['fine', `${'a'.repeat(40)}!`]);
    const pattern = await Pattern.compile('^(a+)+$');
    expect(() => searchLines(lines, pattern, 20)).toThrow(
      expect.objectContaining({ code: 'PATTERN_TOO_SLOW' }),
    );
  });

  test('a pattern that takes too long is tried once, also where a busy machine gave it no time', async () => {
    const usage = vi.spyOn(process, 'cpuUsage').mockReturnValue({ user: 0, system: 0 });
    const tries = vi.spyOn(Script.prototype, 'runInContext');
    onTestFinished(() => void vi.restoreAllMocks());
    const pattern = await Pattern.compile('^(a+)+$');
    expect(() => searchLines(linesOf([`${'a'.repeat(40)}!`]), pattern, 20)).toThrow(
      expect.objectContaining({ details: { pattern: '^(a+)+$', limitMs: 20 } }),
    );
    expect(usage).toHaveBeenCalled();
    expect(tries).toHaveBeenCalledOnce();
  });

  test('says of a pattern that takes too long how much time all lines had', async () => {
    const lines = linesOf(['x'.repeat(300_000), `${'a'.repeat(40)}!`]);
    const pattern = await Pattern.compile('^(a+)+$');
    expect(() => searchLines(lines, pattern, 50)).toThrow(
      expect.objectContaining({ details: { pattern: '^(a+)+$', limitMs: 50 } }),
    );
  });
});
