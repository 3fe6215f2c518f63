import { describe, expect, test } from 'vitest';
import type { LogicalLine } from '../../src/screen/history/line-history.ts';
import type { Screen } from '../../src/screen/screen.ts';
import { joinViewLines, TextViewReader, textViewFrom } from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { seeded } from '../helpers/seeded.ts';

/** `SEEDS=1000 npx vitest run test/screen/skip-flood.test.ts` tries that many mixtures. */
const SEEDS = Number(process.env.SEEDS ?? 25);

/** Everything that can be observed of a screen. */
const observe = (screen: Screen) => {
  const { rows } = screen.modes;
  return {
    cursor: screen.cursor,
    rows: Array.from({ length: rows }, (_, row) => screen.grid.rowRuns(row)),
    dump: screen.dump(),
    firstLiveLine: screen.firstLiveLine,
    live: [...screen.lines(screen.firstLiveLine)].map(({ id: _, lost: __, ...line }) => line),
  };
};

const pickLine = ({ line, position, text }: LogicalLine): LogicalLine => ({ line, position, text });

const plainPieces = [
  'word',
  ' ',
  '0123456789',
  '\t',
  'x'.repeat(33),
  'é',
  '漢字',
  '👍🏽',
  '👨‍👩‍👧',
  'e\u0301',
  '\u00a0',
  '\b',
  '\r',
  '\x1b[m',
  '\x1b[0m',
  '\x1b[31m',
  '\x1b[1;44m',
  '\x1b[38;2;1;2;3m',
  '\x1b[4:3m',
  '\x1b[7m',
  '\x1b[27;49m',
];
const lineEnds = ['\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\r\n', '\n', '\r\r\n', '\n\r'];
const complex = [
  '\x1b[H',
  '\x1b[2J',
  '\x1b[3J',
  '\x1b[5;7H',
  '\x1b[2A',
  '\x1b[2;4r',
  '\x1b[r',
  '\x1b[4h',
  '\x1b[4l',
  '\x1b[?7l',
  '\x1b[?7h',
  '\x1b[?45h',
  '\x1b[?45l',
  '\x1b[?1049h',
  '\x1b[?1049l',
  '\x1b7',
  '\x1b8',
  '\x1b[3L',
  '\x1b[2M',
  '\x1b[3S',
  '\x1bM',
  '\x1bD',
  '\x1bc',
  '\x0e',
  '\x0f',
  '\x07',
  '\x0b',
  '\u0085',
  '\u009b31m',
  '\x1b]0;t\x07',
  '\x1b]133;A\x1b\\',
  '\x1b[',
  '\x1b',
  '\x1b(0',
  '\x1b(B',
];

describe('a flood', () => {
  test('leaves the same screen as one that has parsed every byte', {
    timeout: 2_000 * SEEDS,
  }, () => {
    let skipped = 0;
    let written = 0;
    for (let seed = 1; seed <= SEEDS; seed++) {
      const { below, pick, next } = seeded(seed);
      const size = { cols: 2 + below(60), rows: 1 + below(12) };
      const history = { maxBytes: 64 * 1024, maxLines: 50 + below(400), headBytes: 2048 };
      const lazy = openScreen({ ...size, history });
      const eager = openScreen({ ...size, history });
      // With a reader, both keep the output that was not read.
      for (const { screen } of [lazy, eager]) new TextViewReader(screen);
      for (let round = 0; round < 4; round++) {
        let output = '';
        for (let count = below(6); count > 0; count--) output += pick(complex) + pick(plainPieces);
        const pieces = 1 + below(6);
        for (let lines = below(5000); lines > 0; lines--) {
          for (let count = below(pieces); count > 0; count--) output += pick(plainPieces);
          output += next() < 0.9 ? '\r\n' : pick(lineEnds);
        }
        const bytes = Buffer.from(output);
        written += bytes.length;
        for (let at = 0; at < bytes.length; ) {
          const to = at + 1 + below(5000);
          lazy.screen.write(bytes.subarray(at, to));
          at = to;
        }
        for (let at = 0; at < bytes.length; at += 700) {
          eager.screen.write(bytes.subarray(at, at + 700));
          void eager.screen.cursor;
        }
        expect(observe(lazy.screen), `seed ${seed}, round ${round}`).toEqual(observe(eager.screen));
        const kept = new Map([...eager.screen.lines()].map((line) => [line.line, line]));
        for (const { line, position, text } of lazy.screen.lines()) {
          if (kept.has(line)) expect({ line, position, text }).toEqual(pickLine(kept.get(line)!));
        }
        const [ofLazy, ofEager] = [lazy, eager].map(({ screen }) => textViewFrom(screen, 0));
        const total = (view: typeof ofLazy) => view!.lines.length + (view!.gone?.lines ?? 0);
        expect(total(ofLazy), `seed ${seed}, round ${round}`).toBe(total(ofEager));
        expect(lazy.events).toEqual(eager.events);
        expect(lazy.replies).toEqual(eager.replies);
      }
      skipped += lazy.screen.skippedBytes;
      expect(eager.screen.skippedBytes).toBe(0);
    }
    expect(skipped / written).toBeGreaterThan(0.1);
  });

  test('shows a reader its true head, its true tail and how much is between', () => {
    const { screen, write } = openScreen({ cols: 80, rows: 24 });
    const reader = new TextViewReader(screen);
    write('$ cat numbers\r\n');
    reader.read();
    const total = 1_000_000;
    for (let from = 0; from < total; from += 1000) {
      write(Array.from({ length: 1000 }, (_, at) => `line ${from + at}\r\n`).join(''));
    }
    const view = reader.read();
    expect(screen.skippedBytes / screen.position).toBeGreaterThan(0.9);
    expect(view.lines[0]!.text).toBe('line 0');
    expect(view.lines.at(-1)!.text).toBe(`line ${total - 1}`);
    const { before, lines } = view.gone!;
    expect(view.lines.length + lines).toBe(total);
    expect(view.lines.slice(0, before).map(({ text }) => text)).toEqual(
      Array.from({ length: before }, (_, at) => `line ${at}`),
    );
    expect(view.lines[before]!.text).toBe(`line ${before + lines}`);
    expect(before).toBeGreaterThan(4000);
    expect(view.lines.length - before).toBeGreaterThanOrEqual(5000);
    const [head, tail] = [view.lines[before - 1]!, view.lines[before]!];
    expect(view.gone!.bytes).toBe(tail.position - head.position - `${head.text}\r\n`.length);
    expect(joinViewLines(reader.read())).toBe('');
  });

  test('of short lines is not parsed line by line, though it is few bytes', () => {
    const { screen, write } = openScreen({ cols: 80, rows: 24 });
    const lines = 130_000;
    write('y\r\n'.repeat(lines));
    expect(screen.cursor).toEqual({ col: 0, row: 23 });
    expect(screen.skippedBytes / screen.position).toBeGreaterThan(0.8);
    expect(screen.firstLineOnScreen).toBe(lines - 23);
  });
});
