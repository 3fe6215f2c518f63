/** Properties of every view of every screen, in every budget. */
import { describe, expect, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { viewNames } from '../../../src/session/options/options.ts';
import { type ReadRequest, SessionReader } from '../../../src/session/output/session-readers.ts';
import { MIN_VIEW_TOKENS } from '../../../src/views/budget.ts';
import { makeScreenView } from '../../../src/views/screen.ts';
import { ScreenViewReader } from '../../../src/views/screen-diff.ts';
import { forSeeds, type Random, seeded } from '../../helpers/seeded.ts';

const words = ['word', 'x'.repeat(70), 'é', '漢字', '😀', '👨‍👩‍👧', 'e\u0301', ' ', '[1 line]'];
const drawing = ['\x1b[H', '\x1b[2J', '\x1b[5;7H', '\x1b[31m', '\x1b[7m', '\x1b[m', '\x1b[K', '\r'];

const plain = (random: Random, lines: number): string =>
  random.list(lines, () => `${random.list(6, () => random.pick(words)).join('')}\r\n`).join('');

const drawn = (random: Random): string =>
  random.list(30, () => random.pick(random.below(3) ? words : drawing)).join('');

const openScreen = ({ pick, below }: Random) =>
  new Screen({ cols: pick([20, 80, 200]), rows: 2 + below(40) });

const write = (screen: Screen, text: string, { below }: Random): void => {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const to = at + 1 + below(300);
    screen.write(bytes.subarray(at, to));
    at = to;
  }
};

const ALL = 1e9;

/** How many bytes `fitToBudget` may return for this many tokens. */
const bytesFor = (maxTokens: number) => 4 * Math.max(MIN_VIEW_TOKENS, maxTokens);

const seeds = (count: number) => Array.from({ length: count }, (_, at) => at + 1);

describe('every view', () => {
  test('fits its budget, cuts no character, and says how much is missing', async () => {
    for (const seed of seeds(Number(process.env.SEEDS ?? 30))) {
      const random = seeded(seed);
      const screen = openScreen(random);
      write(screen, plain(random, 300) + drawn(random), random);
      if (random.below(3) === 0) write(screen, `\x1b[?1049h${drawn(random)}`, random);
      for (const view of viewNames) {
        const maxTokens = 1 + random.below(600);
        const request: ReadRequest = { view, maxTokens };
        const [some, all] = [new SessionReader(screen), new SessionReader(screen)];
        const cut = await some.read(request, []);
        const whole = await all.read({ ...request, maxTokens: ALL }, []);
        const what = `seed ${seed}, ${view} in ${maxTokens}`;
        expect(Buffer.byteLength(cut.output), what).toBeLessThanOrEqual(bytesFor(maxTokens));
        expect(cut.output, what).not.toMatch(/\p{Surrogate}/u);
        expect(whole.omitted, what).toBeUndefined();
        expect(cut.position, what).toBe(whole.position);
        if (cut.omitted === undefined) expect(cut.output, what).toBe(whole.output);
        else checkOmitted(cut.output, whole.output, cut.omitted, what);
        some.close();
        all.close();
      }
    }
  });

  /** The marker counts exactly what is missing. */
  const checkOmitted = (
    cut: string,
    whole: string,
    omitted: { lines: number; bytes: number },
    what: string,
  ) => {
    const [head, tail] = cut.split(
      /(?<=^|\n)\[\d+ bytes? in \d+ lines? left out; [^\n]*\](?=\n|$)/,
    );
    expect(tail, what).toBeDefined();
    // A line that is shown in part has a line end that is not its own.
    expect(whole.startsWith(head!.slice(0, -1)), what).toBe(true);
    expect(whole.endsWith(tail!.slice(1)), what).toBe(true);
    const shown = Buffer.byteLength(head!) + Buffer.byteLength(tail!);
    const missing = Buffer.byteLength(whole) - shown + 1;
    expect(Math.abs(omitted.bytes - missing), what).toBeLessThanOrEqual(1);
    const lines = (text: string) => text.split('\n').length - 1;
    const partly = lines(whole) + 1 - lines(head!) - lines(tail!);
    expect(omitted.lines, what).toBeGreaterThanOrEqual(partly);
    expect(omitted.lines, what).toBeLessThanOrEqual(partly + 2);
  };

  test('can be read on from what was left out until all of it was read', async () => {
    for (const seed of seeds(Number(process.env.SEEDS ?? 20))) {
      const random = seeded(seed);
      const screen = openScreen(random);
      // Lines shorter than half of the smallest budget: longer ones are never shown as a whole.
      const texts = random.list(300, () =>
        random.list(8, () => random.pick(['a', 'é', '漢'])).join(''),
      );
      write(screen, texts.map((text, at) => `${at} ${text}\r\n`).join(''), random);
      const reader = new SessionReader(screen);
      const seen = new Set<string>();
      let from: number | undefined = 0;
      for (let reads = 0; from !== undefined && reads < 1000; reads++) {
        const { output, omitted } = await reader.read(
          { view: 'text', from, maxTokens: MIN_VIEW_TOKENS + random.below(100) },
          [],
        );
        for (const line of output.split('\n')) seen.add(line);
        expect(omitted?.from ?? Number.POSITIVE_INFINITY).toBeGreaterThan(from);
        from = omitted?.from;
      }
      const missing = texts
        .map((text, at) => `${at} ${text}`.trimEnd())
        .filter((t) => !seen.has(t));
      expect(missing, `seed ${seed}`).toEqual([]);
    }
  });
});

test('what is read in pieces is together what was printed', async () => {
  for (const seed of seeds(Number(process.env.SEEDS ?? 30))) {
    const random = seeded(seed);
    const screen = openScreen(random);
    const texts = random.list(200, () => random.list(6, () => random.pick(words)).join(''));
    const bytes = Buffer.from(texts.map((text) => `${text}\r\n`).join(''));
    const reader = new SessionReader(screen);
    const raw = new SessionReader(screen);
    const read: string[] = [];
    let rawText = '';
    for (let at = 0; at < bytes.length; ) {
      const to = at + 1 + random.below(400);
      screen.write(bytes.subarray(at, to));
      at = to;
      if (random.below(2) === 0 && at < bytes.length) continue;
      const { output, continues } = await reader.read({ view: 'text', maxTokens: ALL }, []);
      const lines = output.split('\n');
      if (continues) read.push(read.pop() + lines.shift()!);
      read.push(...lines);
      rawText += (await raw.read({ view: 'raw', maxTokens: ALL }, [])).output;
    }
    // A read that finds nothing new, or that ends between two lines, returns an empty line.
    const nonEmpty = (lines: readonly string[]) =>
      lines.map((line) => line.trimEnd()).filter(Boolean);
    expect(nonEmpty(read), `seed ${seed}`).toEqual(nonEmpty(texts));
    expect(rawText, `seed ${seed}`).toBe(bytes.toString());
  }
});

test('what was left out of raw output can be read from where it begins, also if it is not text', async () => {
  const screen = new Screen({ cols: 80, rows: 24 });
  const bad = Buffer.from([0xff, 0xfe, 0xfd, 0xfc, 0xfb, 0xfa]);
  for (let line = 1; line <= 400; line++)
    screen.write(Buffer.concat([bad, Buffer.from(`${String(line).padStart(4)}\r\n`)]));
  const reader = new SessionReader(screen);
  const { output, omitted } = await reader.read({ view: 'raw', maxTokens: 100 }, []);
  const [before, after] = output.split(/\n\[.*\]\n/);
  const numbers = (text: string) => [...text.matchAll(/\d+/g)].map(Number);
  const [last, next] = [numbers(before!).at(-1)!, numbers(after!)[0]!];
  const missing = next - last - 1;
  expect(omitted).toEqual({ lines: missing, bytes: 12 * missing, from: 12 * last });
  const rest = await reader.read({ view: 'raw', from: omitted!.from!, maxTokens: ALL }, []);
  expect(numbers(rest.output)[0]).toBe(last + 1);
});

test('what was lost before a program took the whole screen is counted', async () => {
  const flood = Array.from({ length: 20_000 }, (_, at) => `${at}\r\n`).join('');
  const lost = async (then: string) => {
    const screen = new Screen({ cols: 80, rows: 24, history: { maxBytes: 1e6, maxLines: 1000 } });
    const reader = new SessionReader(screen);
    screen.write(Buffer.from(flood + then));
    const { output, omitted } = await reader.read({ view: 'text', maxTokens: ALL }, []);
    expect(output).toMatch(/\[\d+ bytes in \d+ lines no longer kept\]\n/);
    return omitted;
  };
  const onNormalScreen = await lost('');
  expect(onNormalScreen!.lines).toBeGreaterThan(15_000);
  expect(await lost('\x1b[?1049hMENU')).toEqual(onNormalScreen);
});

test('the last screen with the changes of a diff is the current screen', () => {
  forSeeds(30, (random) => {
    const screen = openScreen(random);
    const reader = new ScreenViewReader(screen);
    let rows: string[] = [];
    for (let round = 0; round < 6; round++) {
      write(screen, drawn(random), random);
      if (random.below(4) === 0) write(screen, random.pick(['\x1b[?1049h', '\x1b[?1049l']), random);
      if (random.below(4) === 0) screen.resize(20 + random.below(60), 2 + random.below(40));
      const { changed, isNew } = reader.diff();
      if (isNew) rows = [];
      for (const { row, text } of changed) rows[row] = text;
      const shown = Array.from({ length: screen.modes.rows }, (_, row) => rows[row] ?? '');
      const { lines } = makeScreenView(screen);
      expect(shown.join('\n').trimEnd()).toBe(lines.join('\n').trimEnd());
    }
  });
});

test('a search says how many lines it could not search', async () => {
  const screen = new Screen({ cols: 80, rows: 5, history: { maxLines: 20 } });
  for (let line = 0; line < 1000; line++) screen.write(Buffer.from(`line ${line}\r\n`));
  const reader = new SessionReader(screen);
  const request = { view: 'text', maxTokens: ALL } as const;
  const found = await reader.read({ ...request, search: 'line 99[0-9]' }, []);
  const gone = Number(/\[(\d+) lines are gone, and were not searched\]$/.exec(found.output)?.[1]);
  expect(gone).toBeGreaterThan(0);
  const { output } = await reader.read({ ...request, search: 'line 500$' }, []);
  expect(output).toBe(
    `[nothing that is kept matches; ${gone} lines are gone, and were not searched]`,
  );
  const rest = await reader.read({ ...request, from: 0 }, []);
  expect(rest.omitted?.lines).toBe(gone);
});
