/**
 * Writes meaningless output, and output that stops anywhere: nothing may throw, hang or use
 * unbounded memory.
 *
 * `npm test` tries a part of it. All of it takes some minutes:
 * `TORTURE=all npx vitest run test/screen/torture.test.ts`.
 */
import { describe, expect, test } from 'vitest';
import { Screen } from '../../src/screen/screen.ts';
import { rawViewFrom } from '../../src/views/raw.ts';
import { makeScreenView } from '../../src/views/screen.ts';
import { joinViewLines, TextViewReader } from '../../src/views/text.ts';
import { openScreen, screenText } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';
import { readStreams } from '../streams/stream.ts';

const isFull = process.env.TORTURE === 'all';
const RANDOM_BYTES = (isFull ? 50 : 1) * 1e6;
/** The screen is read after each this many bytes of a recording. */
const STRIDE = isFull ? 1 : 997;
const timeout = isFull ? 3_600_000 : 60_000;

const readAll = (screen: Screen, reader: TextViewReader) => {
  makeScreenView(screen);
  joinViewLines(reader.read());
  rawViewFrom(screen, Math.max(0, screen.position - 1000));
  return screen.dump();
};

const sequences = [
  '\x1b[',
  '\x1b]',
  '\x1bP',
  '\x1b',
  '\x1b[?',
  '\x07',
  '\x1b\\',
  ';',
  'm',
  'H',
  'J',
  'r',
  'L',
];

const noise = {
  'random bytes': ({ below }: Random) => below(256),
  'random controls and digits': ({ below, next }: Random) =>
    next() < 0.5 ? below(32) : 0x30 + below(75),
};

describe('random output', () => {
  test.each(Object.entries(noise))('%s', { timeout }, (_name, byte) => {
    const numbers = seeded(1);
    const screen = new Screen({ cols: 80, rows: 24 });
    const reader = new TextViewReader(screen);
    const chunk = Buffer.alloc(4096);
    for (let written = 0; written < RANDOM_BYTES; written += chunk.length) {
      for (let at = 0; at < chunk.length; at++) chunk[at] = byte(numbers);
      screen.write(chunk);
      if (numbers.below(100) === 0) readAll(screen, reader);
      if (numbers.below(400) === 0) screen.resize(1 + numbers.below(200), 1 + numbers.below(60));
    }
    expect(screen.position).toBeGreaterThanOrEqual(RANDOM_BYTES);
    expect(screen.history.bytes.size).toBeLessThanOrEqual(4.2 * 1024 * 1024);
    expect(screen.history.lines.size.chars).toBeLessThanOrEqual(2.5 * 1024 * 1024);
  });

  test('sequences that begin, end and break off anywhere', { timeout }, () => {
    const { pick, below } = seeded(2);
    const screen = new Screen({ cols: 80, rows: 24 });
    const reader = new TextViewReader(screen);
    for (let written = 0; written < RANDOM_BYTES / 4; ) {
      const parts = Array.from(
        { length: 500 },
        () => pick(sequences) + (below(4) ? below(200) : 'text'),
      );
      const bytes = Buffer.from(parts.join(''));
      screen.write(bytes);
      written += bytes.length;
      if (below(20) === 0) readAll(screen, reader);
    }
    screen.write(Buffer.from('\x18\x1bcalive'));
    expect(screen.grid.rowText(0)).toBe('alive');
    expect(screen.faults).toBe(0);
  });
});

describe('a few bytes that ask for much', () => {
  const huge = 2147483647;
  test.each([...'@ABCDEFGHIJKLMPSTXZ`abdefghlmnqrstu'].map((final) => [final]))(
    `CSI ${huge} %s`,
    (final) => {
      for (const setup of ['', '\x1b[?1049h', '\x1b[2;4r', '\x1b[5;5H']) {
        const screen = new Screen({ cols: 80, rows: 24 });
        screen.write(Buffer.from(`${setup}text\x1b[${huge}${final}\x1b[${huge};${huge}${final}`));
        screen.write(Buffer.from('\x1bcalive'));
        expect(screen.grid.rowText(0)).toBe('alive');
        expect(screen.history.lines.size.lines).toBeLessThan(5000);
        expect(screen.faults).toBe(0);
      }
    },
  );

  test.each(['\x1b[1J', '\x1b[?1J'])('erasing above the last cell: %j', (erase) => {
    for (const setup of ['', '\x1b[?1049h', 'line\r\n'.repeat(30)]) {
      const { screen, write } = openScreen({ cols: 20, rows: 5 });
      write(`${setup}\x1b[1;1Habove\x1b[4;1H${'wrapped '.repeat(9)}\x1b[5;20H${erase}`);
      expect(screenText(screen)).toEqual(['', '', '', '', '']);
      expect(screen.faults).toBe(0);
    }
  });

  test('what fails while it is parsed does not end the process', () => {
    const onEvent = () => {
      throw new Error('a listener with a mistake');
    };
    const { screen, write } = openScreen({ onEvent });
    write('before\r\n');
    write('\x1b]133;A\x07');
    write('after');
    expect(screenText(screen).slice(0, 2)).toEqual(['before', 'after']);
    expect(screen.faults).toBe(1);
  });

  test('a character with a million accents', () => {
    const screen = new Screen({ cols: 80, rows: 24 });
    screen.write(Buffer.from(`e${'\u0301'.repeat(1_000_000)}`));
    expect(screen.grid.rowText(0).length).toBe(16);
  });

  test.each([
    ['a letter', 'x', 65_536],
    ['a letter with accents', `e${'\u0301'.repeat(7)}`, 2048],
    ['a letter with too many accents', `e${'\u0301'.repeat(200)}`, 1024],
  ])('%s repeated on the largest screen', (_, character, cells) => {
    const screen = new Screen({ cols: 1000, rows: 1000 });
    const { maxRSS } = process.resourceUsage();
    for (let count = 0; count < 50; count++)
      screen.write(Buffer.from(`\x1b[2J\x1b[H${character}\x1b[${huge}b`));
    const drawn = Array.from({ length: 1000 }, (__, row) => screen.grid.rowText(row)).join('');
    expect(drawn.match(/\w/g)?.length).toBe(cells);
    expect(process.resourceUsage().maxRSS - maxRSS).toBeLessThan(150 * 1024);
  });

  test('a few bytes that a reader has not read are not kept as any number of characters', () => {
    const { screen, write } = openScreen({ cols: 1000, rows: 10 });
    const reader = new TextViewReader(screen);
    for (let count = 0; count < 1000; count++) write('x\x1b[9999b');
    expect(screen.position).toBeLessThan(screen.history.headBytes);
    expect(screen.history.lines.size.chars).toBeLessThan(3 * 2 ** 20);
    expect(joinViewLines(reader.read()).length).toBeLessThan(4 * 2 ** 20);
  });

  test.each([...'LMST'])(
    'all rows moved by one sequence, on a screen of ten thousand (%s)',
    (final) => {
      const screen = new Screen({ cols: 100, rows: 10_000 });
      for (const margins of ['', '\x1b[2;9999r', '\x1b[2;9999r\x1b[3H'])
        screen.write(Buffer.from(`\x1bc${margins}${`x\x1b[9998${final}`.repeat(20)}`));
      screen.write(Buffer.from('\x1bcalive'));
      expect(screen.grid.rowText(0)).toBe('alive');
    },
  );

  test('a link drawn again and again', () => {
    const screen = new Screen({ cols: 80, rows: 24 });
    const link = Buffer.from('\r\x1b]8;;https://example.org\x1b\\link\x1b]8;;\x1b\\');
    for (let count = 0; count < 20_000; count++) screen.write(link);
    expect(screen.grid.rowText(0)).toBe('link');
  });
});

describe.each(readStreams(`${import.meta.dirname}/../streams`))('$name', (stream) => {
  test('can stop anywhere', { timeout }, () => {
    const screen = new Screen(stream);
    const reader = new TextViewReader(screen);
    let left = STRIDE;
    for (const event of stream.events) {
      if ('resize' in event) screen.resize(event.resize.cols, event.resize.rows);
      if (!('output' in event)) continue;
      for (const byte of Buffer.from(event.output)) {
        screen.write(Uint8Array.of(byte));
        if (--left > 0) continue;
        left = STRIDE;
        expect(readAll(screen, reader)).toBeTypeOf('string');
      }
    }
  });
});
