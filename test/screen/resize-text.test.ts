/**
 * A resize changes how lines wrap, never their text. `CASES=10000 npx vitest run resize-text` tries more,
 * `SEED=5` others.
 */
import { describe, expect, test } from 'vitest';
import type { Screen } from '../../src/screen/screen.ts';
import { textViewFrom } from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';
import { SCRIPTS, SYMBOLS } from './scripts.ts';

const CASES = Number(process.env.CASES ?? 150);
const SEED = Number(process.env.SEED ?? 1);
/** For a test that hangs. */
const timeout = 60_000 + 100 * CASES;

const TEXTS = [...Object.values(SCRIPTS).flat(), ...SYMBOLS];

const lineOf = ({ pick, below }: Random): string => {
  let line = '';
  for (let words = 1 + below(30); words > 0; words--) line += pick(TEXTS) + ' '.repeat(below(3));
  return line.trimEnd();
};

/** Letters and marks of all scripts in any order, which no language has. Begins and ends with a letter. */
const jumbleOf = ({ pick, below }: Random): string => {
  let line = 'x';
  for (let count = below(200); count > 0; count--) line += pick([...pick(TEXTS)]);
  return `${line}x`;
};

const textOf = (screen: Screen): string[] => textViewFrom(screen, 0).lines.map(({ text }) => text);

const bytesOf = (lines: readonly string[]): Buffer => Buffer.from(lines.join('\r\n'));

/** The last line has no end. Some are blank, but the last is not: a blank one there is no line. */
const linesOf = (random: Random, makeLine: (random: Random) => string): string[] => [
  ...random.list(12, () => (random.below(5) === 0 ? '' : makeLine(random))),
  makeLine(random),
];

/** What is seen of these lines where nothing wraps: out of order, some characters are not drawn. */
const seenOf = (lines: readonly string[]): string[] => {
  const { screen } = openScreen({ cols: 2000 });
  screen.write(bytesOf(lines));
  const text = textOf(screen);
  screen.dispose();
  return text;
};

const sizeOf = ({ below }: Random) => ({ cols: 2 + below(150), rows: 2 + below(40) });

const forCases = (claim: (random: Random) => void): void => {
  for (let at = 0; at < CASES; at++) {
    try {
      claim(seeded(SEED * 1_000_003 + at));
    } catch (error) {
      throw new Error(`It does not hold for case ${at} of SEED=${SEED}.`, { cause: error });
    }
  }
};

test('there are texts in at least fifty scripts, and each is in its script', () => {
  expect(Object.keys(SCRIPTS).length).toBeGreaterThanOrEqual(50);
  for (const [script, texts] of Object.entries(SCRIPTS)) {
    for (const text of texts) expect(text).toMatch(new RegExp(`\\p{Script=${script}}`, 'u'));
  }
});

describe.each([
  ['text', lineOf, (lines: readonly string[]) => lines],
  ['letters and marks in any order', jumbleOf, seenOf],
])('%s', (_what, makeLine, expectedOf) => {
  test('resized to any width and back is the same', { timeout }, () => {
    forCases((random) => {
      const size = sizeOf(random);
      const { screen } = openScreen(size);
      const lines = linesOf(random, makeLine);
      screen.write(bytesOf(lines));
      const expected = expectedOf(lines);
      expect(textOf(screen)).toEqual(expected);
      for (const { cols, rows } of [...random.list(6, () => sizeOf(random)), size]) {
        screen.resize(cols, rows);
        expect(textOf(screen), `${size.cols}x${size.rows}, now ${cols}x${rows}`).toEqual(expected);
      }
      screen.dispose();
    });
  });

  test('printed while the size changes is what was printed', { timeout }, () => {
    forCases((random) => {
      const { screen } = openScreen(sizeOf(random));
      const lines = linesOf(random, makeLine);
      const bytes = bytesOf(lines);
      for (let at = 0; at < bytes.length; ) {
        const { cols, rows } = sizeOf(random);
        screen.resize(cols, rows);
        const end = at + 2 + random.below(2000);
        // After a CR the cursor is within the line, and what comes next may overwrite the rest of it.
        const isAfterReturn = bytes[end - 1] === 0x0d;
        screen.write(bytes.subarray(at, isAfterReturn ? end - 1 : end));
        at = isAfterReturn ? end - 1 : end;
      }
      expect(textOf(screen)).toEqual(expectedOf(lines));
      screen.dispose();
    });
  });
});

test('resized from tall and narrow to low and wide, a screen never takes more than its cells', () => {
  const { screen, write } = openScreen();
  write(Array.from({ length: 2000 }, (_, at) => `line ${at}\r\n`).join(''));
  const before = textOf(screen);
  const peakBefore = process.resourceUsage().maxRSS;
  for (const [cols, rows] of [
    [100, 10_000],
    [65_535, 15],
    [15, 10_000],
    [20_000, 50],
    [100, 10_000],
    [1000, 1000],
    [65_535, 15],
    [80, 24],
  ] as const) {
    screen.resize(cols, rows);
    expect(textOf(screen)).toEqual(before);
  }
  expect(process.resourceUsage().maxRSS - peakBefore).toBeLessThan(400 * 1024);
});
