/**
 * A resize changes how lines wrap, never their text. `CASES=10000 npx vitest run resize-text` tries more,
 * `SEED=5` others.
 */
import { expect, test } from 'vitest';
import type { Screen } from '../../src/screen/screen.ts';
import { textViewFrom } from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';

const CASES = Number(process.env.CASES ?? 150);
const SEED = Number(process.env.SEED ?? 1);

/** A greeting, or what Unicode's own pages show, in scripts that combine in different ways. */
const SCRIPTS = [
  'Schöne Grüße über '.normalize('NFD'),
  'Điều này là tiếng Việt '.normalize('NFD'),
  '한국어 인사말 '.normalize('NFD'),
  '한국어 인사말 ',
  'नमस्ते क्षत्रिय स्त्री ',
  'স্বাগতম ক্ষমা ',
  'வணக்கம் க்ஷௌ ',
  'ಕನ್ನಡ ಸ್ತ್ರೀ ',
  'മലയാളം ക്ഷ്യ ',
  'ສະບາຍດີ ນ້ຳ ',
  'สวัสดีครับ น้ำ กี่ ',
  'မြန်မာစာ က္ကျွန်ုပ် ',
  'བོད་སྐད་ སྒྲུབ ',
  'ខ្មែរ ស្ត្រី ',
  'שָׁלוֹם עֲלֵיכֶם ',
  'السَّلَامُ عَلَيْكُمْ ',
  'Ἑλλάς ᾧ '.normalize('NFD'),
  'Й ё Ї '.normalize('NFD'),
  '日本語がぎぐ '.normalize('NFD'),
  '漢字と仮名 ',
  'ᄒᆞᆫ글 ',
  '👩‍👩‍👧‍👦 👍🏽 🏳️‍🌈 🇩🇪🇫🇷 1️⃣ ☺️ ',
  'Z̷̢̛͎̃a̸͖͊l̵̰̈g̷̳̓o̶̘͋ ',
  'x⃗ y̅ q̇̈ ',
  'plain text ',
];

const lineOf = ({ pick, below }: Random): string => {
  let line = '';
  for (let words = 1 + below(30); words > 0; words--) line += pick(SCRIPTS);
  return line.trimEnd();
};

const textOf = (screen: Screen): string[] =>
  textViewFrom(screen, 0)
    .lines.map(({ text }) => text)
    .filter((text) => text !== '');

test('resized to any width and back, the text is the same', () => {
  for (let at = 0; at < CASES; at++) {
    const random = seeded(SEED * 1_000_003 + at);
    const cols = 2 + random.below(150);
    const rows = 2 + random.below(40);
    const { screen } = openScreen({ cols, rows });
    const lines = random.list(12, () => lineOf(random));
    screen.write(Buffer.from(lines.map((line) => `${line}\r\n`).join('')));
    const before = textOf(screen);
    const sizes = random.list(6, () => [2 + random.below(150), 2 + random.below(40)] as const);
    for (const [width, height] of [...sizes, [cols, rows] as const]) {
      screen.resize(width, height);
      expect(textOf(screen), `case ${at}: ${cols}x${rows}, then ${width}x${height}`).toEqual(
        before,
      );
    }
    screen.dispose();
  }
});

test('at any width, the lines are those of a wide screen', () => {
  for (let at = 0; at < CASES; at++) {
    const random = seeded(SEED * 2_000_003 + at);
    const lines = random.list(12, () => lineOf(random));
    const bytes = Buffer.from(lines.map((line) => `${line}\r\n`).join(''));
    const texts = [2 + random.below(150), 5000].map((cols) => {
      const { screen } = openScreen({ cols, rows: 2 + random.below(40) });
      screen.write(bytes);
      const text = textOf(screen);
      screen.dispose();
      return text;
    });
    expect(texts[0], `case ${at}`).toEqual(texts[1]);
    expect(texts[1], `case ${at}`).toEqual(lines.filter((line) => line !== ''));
  }
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
