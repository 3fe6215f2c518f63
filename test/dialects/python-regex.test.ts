/** Python's own `re` is asked what its patterns mean. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { compileExpectPattern } from '../../src/dialects/hive/expect.ts';
import { translatePythonRegex } from '../../src/dialects/hive/python-regex-to-javascript.ts';
import { InvalidPattern, PatternNotTranslatable } from '../../src/errors.ts';
import { testWith } from '../helpers/needs.ts';
import { forSeeds, type Random } from '../helpers/seeded.ts';

/** Where a pattern is first found in each text: [start, end] in characters, null, or an error. */
type Meaning = ([number, number] | null)[] | 'error';

const ORACLE = `
import json, re, sys, warnings
warnings.simplefilter("ignore")
def meaning(pattern, texts):
    try:
        compiled = re.compile(pattern)
    except (re.error, OverflowError, ValueError):
        return "error"
    return [m and list(m.span()) for m in map(compiled.search, texts)]
json.dump([meaning(*case) for case in json.load(sys.stdin)], sys.stdout)
`;

const meaningInPython = (
  cases: readonly [pattern: string, texts: readonly string[]][],
): Meaning[] => {
  const { stdout, stderr } = spawnSync('python3', ['-c', ORACLE], {
    input: JSON.stringify(cases),
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout);
};

const meaningHere = (pattern: string, texts: readonly string[]): Meaning | 'not translatable' => {
  try {
    const { body, flags } = translatePythonRegex(pattern);
    const regexp = new RegExp(body, flags);
    return texts.map((text) => {
      const match = regexp.exec(text);
      if (match === null) return null;
      const start = [...text.slice(0, match.index)].length;
      return [start, start + [...match[0]].length];
    });
  } catch (error) {
    if (error instanceof PatternNotTranslatable) return 'not translatable';
    if (error instanceof InvalidPattern) return 'error';
    throw error;
  }
};

const texts = [
  '',
  'ada@box:~$ ',
  'a\r\nb\r\n',
  'aab\nAB\n',
  'password for jörg: ',
  '10% 😀 _x9\u00a0\u0085-]',
  '((a)) {2,3} \\ ^$ \x07\b\x1c',
  'abcabc ABCABC AbCa',
];

const written = [
  '>>>\\s*$',
  '^b',
  '(?m)^b',
  'a$',
  'b$',
  'b\\Z',
  '\\Aa',
  '(?i)PASSWORD',
  '(?s)a.b',
  'a.+b',
  '[$^]',
  '\\$ $',
  '(?P<q>[ab])(?P=q)',
  '(?P<q>a)(b)\\2?',
  '(?i:PASS)word',
  'pass(?i:WORD)',
  '(?i)pass(?-i:WORD)',
  '(?i:[a-c]+)',
  'a{,2}b',
  'a{2,}',
  'a{2}',
  'a{,}',
  'x{',
  'x{}',
  '{2,3}',
  '[]x]',
  '[^]x]+',
  '[]-]',
  '[\\]a-]',
  '[\\w.]+@',
  '[^\\W_]+',
  '[\\W_]+',
  '[^\\s]+',
  '[\\S]+',
  '[\\D]+',
  '\\w+:',
  '\\björg\\b',
  'r\\B',
  '(?a)\\w+',
  '(?a)\\bj',
  '\\d+%',
  '\\S+$',
  'a(?#note)b',
  '(?x) a  b # both',
  '(?x:a b)ab',
  '(?>a+)b',
  'a++b',
  'a*+a',
  'a?+a',
  '(?=a)a',
  '(?<=a)b',
  '(?<!a)b',
  '(?!a)b',
  '(?:a|b)+',
  '(?=a)*b',
  '\\x61',
  '\\u0061',
  '\\U0001F600',
  '\\141',
  '\\07',
  '\\a',
  '[\\b]',
  '\\v',
  '\\^',
  '\\_',
  '\\-',
  '\\/',
  '/',
  'é|ö',
  '.',
  '.%',
  '%.[^x]',
  '[^x]_',
  '😀',
  '[😀-😂]',
  '(a)(b)?c',
  '((((a))))',
  '(|a)b',
  '',
  '|',
  '()',
  '$a',
  '\\(\\(',
  '~\\$ $',
  '(?im)^AB$',
  '(?i)(?m)^AB$',
  '(?u)a',
  '(?ms:^b.*)',
  '\\Z',
  'z\\z',
  '(?P<ä>a)(?P=ä)',
  '(a+?)\\1',
  '(?i)(b)\\1',
  '(a)(?:b|c)*\\1',
  '[\'"]',
  '[a\\-z]',
  '[\\x41-\\x43]',
  '[a-c-e]',
  '[--a]',
];

const wrong = [
  '(',
  ')',
  '[',
  '[a',
  '[z-a]',
  '[\\w-z]',
  '*',
  '+a',
  '(*a)',
  '^*',
  'a**',
  'a{2}{3}',
  'a{3,2}',
  '\\',
  '\\q',
  '[\\q]',
  '[\\A]',
  '[\\8]',
  '\\1',
  '(a\\1)',
  '(?P<a',
  '(?P<1a>x)',
  '(?P<a>x)(?P<a>y)',
  '(?P=n)',
  '(?P>n)',
  '(?z)',
  '(?<n>a)',
  'a(?i)',
  '(?L)a',
  '(?-a:b)',
  '\\x6',
  '\\u006',
  '\\400',
  '\\777',
  '(?',
  '(?:a',
  '(?=a',
  '\\N',
];

describe('hive 7.3: expect is read as Python reads it', () => {
  testWith('python3')('each construct matches where it matches in Python', () => {
    const cases = [...written, ...wrong].map((pattern): [string, string[]] => [pattern, texts]);
    const expected = meaningInPython(cases);
    for (const [at, [pattern]] of cases.entries()) {
      // Before 3.14 Python has no \z.
      if (pattern.includes('\\z')) continue;
      expect(
        meaningHere(pattern, texts),
        `${pattern} is ${JSON.stringify(tryTranslating(pattern))}`,
      ).toEqual(expected[at]);
    }
    for (const [at] of wrong.entries())
      expect(expected[written.length + at], wrong[at]).toBe('error');
  });

  testWith('python3')('random patterns match where they match in Python', () => {
    const cases: [string, string[]][] = [];
    forSeeds(1000, (random) => {
      cases.push([randomPattern(random, 3), random.list(4, () => randomText(random))]);
    });
    const expected = meaningInPython(cases);
    let refused = 0;
    for (const [at, [pattern, some]] of cases.entries()) {
      const here = meaningHere(pattern, some);
      if (here === 'not translatable') refused++;
      else
        expect(
          here,
          `${pattern} is ${JSON.stringify(tryTranslating(pattern))} in ${JSON.stringify(some)}`,
        ).toEqual(expected[at]);
    }
    expect(refused).toBeLessThan(cases.length / 5);
  });

  test.each([
    ['(a)?(?(1)b|c)', '(?(…)', 'a condition on a group'],
    ['\\N{DIGIT ONE}', '\\N{…}', 'a character by its name'],
    ['(a)?b\\1', '\\1', 'a reference to a group that may not have matched'],
    ['(?:(a)|b)(?P<x>c)|(?P=x)', '\\2', 'a reference to a group that may not have matched'],
    ['(a)(?i:\\1)', '\\1', 'a reference that ignores case in a part of the pattern'],
  ])('%s is refused, and %s named', async (pattern, construct, reason) => {
    await expect(compileExpectPattern(pattern)).rejects.toThrow(
      `invalid expect pattern: "${pattern}" has ${construct} at character `,
    );
    await expect(compileExpectPattern(pattern)).rejects.toThrow(reason);
  });

  test('a mistake is told in the words of Python, a slow pattern in those that the agent wrote', async () => {
    await expect(compileExpectPattern('a**')).rejects.toThrow(
      'invalid expect pattern: "a**" is not a regular expression: multiple repeat at character 3',
    );
    const slow = await compileExpectPattern('(?P<n>\\w+)+!');
    expect(() => slow.exec('a'.repeat(60))).toThrow('"(?P<n>\\w+)+!" was given up');
  });

  test('a pattern may be as long as ours, whatever its translation needs', async () => {
    const pattern = 'a\\s'.repeat(100);
    expect(translatePythonRegex(pattern).body.length).toBeGreaterThan(1000);
    expect((await compileExpectPattern(pattern)).exec('a\t'.repeat(100))).not.toBeNull();
    await expect(compileExpectPattern('a'.repeat(1001))).rejects.toThrow('longer than 1000');
  });
});

const tryTranslating = (pattern: string): unknown => {
  try {
    return translatePythonRegex(pattern);
  } catch (error) {
    return (error as Error).message;
  }
};

// No character outside the basic plane: V8 may find an empty match in the middle of one. No empty
// text: \\B matches there since Python 3.14.
const randomText = ({ list, pick }: Random): string =>
  `${list(12, () => pick(['a', 'A', 'b', 'B', 'ä', '1', '_', ' ', '\r', '\n', '-'])).join('')}(`;

const atoms = [
  ...[
    'a',
    'B',
    'ä',
    '1',
    '_',
    '\\ ',
    '-',
    '😀',
    '.',
    '\\n',
    '\\r',
    '\\w',
    '\\W',
    '\\s',
    '\\S',
    '\\d',
    '\\D',
  ],
  ...[
    '^',
    '$',
    '\\A',
    '\\Z',
    '\\b',
    '\\B',
    '[ab]',
    '[^a]',
    '[^\\n]',
    '[\\wä]',
    '[^\\W1]',
    '[\\S\\n]',
    '[a-z]',
    '[]a]',
  ],
  ...['\\(', '{', '}', '\\x61', '\\1', '(?P<n>a)', '(?P=n)', '#'],
];
const consuming = ['a', 'B', '\\w', '.', '[^a]', '[a-z]'];
const consumingOpenings = ['(', '(?:', '(?i:', '(?s:', '(?m:', '(?-i:', '(?a:', '(?x:', '(?>'];
const openings = [...consumingOpenings, '(?=', '(?!', '(?<!'];
const counts = [
  '',
  '',
  '',
  '*',
  '+',
  '?',
  '*?',
  '+?',
  '??',
  '*+',
  '++',
  '{2}',
  '{,2}',
  '{1,}',
  '{1,2}?',
  '{1,3}+',
];

const randomPattern = (random: Random, depth: number): string => {
  const { pick, list, below } = random;
  const group = (body: string, opening = pick(openings)) => {
    // What Python looks behind for must have a fixed length.
    return `${opening}${opening === '(?<!' ? pick(['a', '[ab]']) : body})`;
  };
  const part = (): string => {
    if (depth === 0 || below(3) > 0) return `${pick(atoms)}${pick(counts)}`;
    if (below(2) === 0) return group(randomPattern(random, depth - 1));
    // A round that matches nothing ends a repetition in Python, and is undone in JavaScript.
    const body = `${pick(consuming)}${list(2, () => pick(atoms)).join('')}`;
    return `${group(body, pick(consumingOpenings))}${pick(counts)}`;
  };
  const branch = () => list(3, part).join('');
  const flags =
    depth === 3 && below(3) === 0 ? pick(['(?i)', '(?m)', '(?s)', '(?ms)', '(?x)', '(?a)']) : '';
  return `${flags}${branch()}${below(4) === 0 ? `|${branch()}` : ''}`;
};
