import { describe, expect, test } from 'vitest';
import type { Screen } from '../../src/screen/screen.ts';
import {
  joinViewLines,
  type TextView,
  TextViewReader,
  textViewFrom,
} from '../../src/views/text.ts';
import { openScreen } from '../helpers/screen-fixture.ts';
import { type Random, seeded } from '../helpers/seeded.ts';

/** Numbers of eight digits. Each is made once, so that a repetition is found. */
const numberSource = () => {
  let next = 0;
  return (count: number) =>
    Array.from({ length: count }, () => String(next++).padStart(8, '0')).join('');
};

/** Collects everything a reader gets. */
const collect = (reader: TextViewReader) => {
  let text: string | undefined;
  const gone = { lines: 0, bytes: 0 };
  const add = (view: TextView) => {
    gone.lines += view.gone?.lines ?? 0;
    gone.bytes += view.gone?.bytes ?? 0;
    if (view.lines.length === 0) return;
    text = text === undefined ? '' : `${text}${view.continues ? '' : '\n'}`;
    text += joinViewLines(view);
  };
  return { read: () => add(reader.read()), text: () => text ?? '', gone };
};

const resizeAtRandom = (screen: Screen, { pick, below }: Random) =>
  screen.resize(pick([20, 80, 120, 200, 2 + below(300)]), pick([1, 5, 24, 40, 1 + below(60)]));

describe('a line of a million characters', () => {
  const line = numberSource()(125_000);

  test.each([
    ['narrower', [[80, 24]]],
    ['wider', [[200, 50]]],
    ['narrower and wider', [[40, 24], [300, 10], [120, 40]]], // biome-ignore format: one row of a table
  ])('is read once if the screen gets %s', (_how, sizes) => {
    for (const reads of [[1_000_000], [500_000, 1_000_000], [70_000, 80_000, 1_000_000]]) {
      const { screen, write } = openScreen({ cols: 120, rows: 40 });
      const all = collect(new TextViewReader(screen));
      write('before\r\n');
      let from = 0;
      for (const to of reads) {
        write(line.slice(from, to));
        all.read();
        from = to;
      }
      for (const [cols, rows] of sizes) {
        screen.resize(cols!, rows!);
        all.read();
      }
      write('\r\nafter\r\n');
      all.read();
      expect(all.text() === `before\n${line}\nafter`).toBe(true);
      expect(joinViewLines(textViewFrom(screen, 0)) === `before\n${line}\nafter`).toBe(true);
    }
  });

  test('of which the beginning is gone is one line that is not whole', () => {
    const { screen, write } = openScreen({ history: { maxBytes: 400_000 } });
    write(`${line}\r\nafter\r\n`);
    const { lines, gone } = textViewFrom(screen, 0);
    expect(gone).toMatchObject({ lines: 1, before: 0 });
    expect(line.endsWith(lines[0]!.text)).toBe(true);
    expect(gone!.bytes + lines[0]!.text.length).toBe(line.length);
    expect(lines[1]).toEqual({ position: line.length + 2, text: 'after' });
  });

  test('takes no more memory than others, however long nobody reads it', () => {
    const { screen, write } = openScreen({ history: { maxBytes: 400_000 } });
    const reader = new TextViewReader(screen);
    for (let count = 0; count < 3; count++) write(line);
    expect(screen.history.lines.size.chars).toBeLessThan(400_000);
    const { lines, gone } = reader.read();
    expect(lines).toHaveLength(2);
    expect(lines[0]!.text.length + gone!.bytes + lines[1]!.text.length).toBe(3 * line.length);
    expect(gone).toMatchObject({ lines: 1, before: 1 });
  });
});

describe('lines of any length', () => {
  test('that come back when the screen grows are not given again, unless they change', () => {
    const { screen, write } = openScreen({ cols: 40, rows: 4 });
    const reader = new TextViewReader(screen);
    write(Array.from({ length: 20 }, (_, at) => `line ${at}\r\n`).join(''));
    reader.read();
    screen.resize(40, 12);
    for (let count = 0; count < 3; count++) expect(joinViewLines(reader.read())).toBe('');
    write('\x1b[HLINE');
    expect(joinViewLines(reader.read())).toBe('LINE 9');
  });

  test('are each given once, whatever the sizes', { timeout: 60_000 }, () => {
    for (let seed = 1; seed <= 12; seed++) {
      const random = seeded(seed);
      const { below, pick } = random;
      const { screen, write } = openScreen({ cols: 120, rows: 30 });
      const all = collect(new TextViewReader(screen));
      const next = numberSource();
      let printed = '';
      for (let part = 0; part < 30; part++) {
        const text = pick<() => string>([
          () => next(1 + below(9000)),
          () => next(1 + below(40)),
          () =>
            `${next(1)}漢字${' '.repeat(below(5))}e\u0301👨‍👩‍👧`.repeat(1 + below(3)) +
            next(below(2000)),
        ])();
        const colour = pick(['', '', '\x1b[31m']);
        const end = pick(['', '', '\r\n']);
        write(`${colour}${text}${end}`);
        printed += `${text}${end && '\n'}`;
        if (below(3) === 0) all.read();
        if (below(4) === 0) resizeAtRandom(screen, random);
        if (below(3) === 0) all.read();
      }
      write('\r\nend');
      all.read();
      const expected = `${printed}\nend`.replaceAll(/ +\n/g, '\n');
      expect(all.text() === expected, `seed ${seed}`).toBe(true);
      expect(joinViewLines(textViewFrom(screen, 0)) === expected, `seed ${seed}`).toBe(true);
    }
  });

  test('are given, or are counted as gone, in lines and in bytes', { timeout: 60_000 }, () => {
    for (let seed = 1; seed <= 8; seed++) {
      const random = seeded(seed);
      const { below, pick } = random;
      const history = { maxBytes: 200_000, maxLines: 500, headBytes: pick([1000, 64 * 1024]) };
      const { screen, write } = openScreen({ cols: 120, rows: 30, history });
      const all = collect(new TextViewReader(screen));
      const next = numberSource();
      let printed = '';
      for (let part = 0; part < 30; part++) {
        const text = next(pick([1 + below(12_000), 1 + below(20)]));
        const end = below(4) ? '\r\n' : '';
        write(`${text}${end}`);
        printed += `${text}${end && '\n'}`;
        if (below(6) === 0) resizeAtRandom(screen, random);
        if (below(8) === 0) all.read();
      }
      write('\r\nend');
      all.read();
      printed += '\nend';
      const words = all.text().match(/\d{8}/g) ?? [];
      expect(new Set(words).size, `seed ${seed}: nothing is given twice`).toBe(words.length);
      expect(words.join() === words.toSorted().join(), `seed ${seed}: in order`).toBe(true);
      // The end of a line is counted with the word before it.
      const lineEnds = new Map(
        [...printed.matchAll(/(\d{8})(\n*)/g)].map(([, word, ends]) => [word, ends]),
      );
      const readBytes = words.reduce((sum, word) => sum + 8 + 2 * lineEnds.get(word)!.length, 0);
      const total = 8 * lineEnds.size + 2 * (printed.split('\n').length - 1);
      expect(readBytes + all.gone.bytes, `seed ${seed}: bytes`).toBe(total);
    }
  });
});
