import { describe, expect, test } from 'vitest';
import {
  estimateTokens,
  fitToBudget,
  type LostOutputInView,
  MIN_VIEW_TOKENS,
  type ViewLine,
} from '../../src/views/budget.ts';
import { seeded } from '../helpers/seeded.ts';

const linesOf = (texts: readonly string[]): ViewLine[] =>
  texts.map((text, index) => ({ position: 1000 + index, text }));

const numberedLines = (length: number) =>
  linesOf(Array.from({ length }, (_, index) => `line ${index + 1}`));

const MARKER =
  /^\[\d+ bytes? in \d+ lines? (?:left out(?:, of them .+ no longer kept)?; read from position \d+|no longer kept)\]$/;

describe('a view in a budget', () => {
  test('is whole if it fits', () => {
    expect(fitToBudget(numberedLines(3), 100)).toEqual({ output: 'line 1\nline 2\nline 3' });
  });

  test('of no lines is empty', () => {
    expect(fitToBudget([], 100)).toEqual({ output: '' });
  });

  test('keeps head and tail, and says between them what was left out and where to read it', () => {
    const { output, omitted } = fitToBudget(numberedLines(1000), MIN_VIEW_TOKENS);
    const lines = output.split('\n');
    expect(lines.slice(0, 2)).toEqual(['line 1', 'line 2']);
    expect(lines.slice(-2)).toEqual(['line 999', 'line 1000']);
    expect(lines).toContain('[8707 bytes in 977 lines left out; read from position 1013]');
    expect(omitted).toEqual({ lines: 977, bytes: 8707, from: 1013 });
  });

  test('says of rows of the screen how to see them, since no position leads to them', () => {
    const rows = numberedLines(100);
    const hint = `read the screen with ${estimateTokens(rows)} tokens`;
    const { output, omitted } = fitToBudget(rows, MIN_VIEW_TOKENS, undefined, { first: 0, hint });
    expect(output).toMatch(
      /\n\[\d+ bytes in \d+ lines left out; read the screen with 198 tokens\]\n/,
    );
    expect(omitted).not.toHaveProperty('from');
    expect(fitToBudget(rows, 198).omitted).toBeUndefined();
    expect(fitToBudget(rows, 197).omitted).toBeDefined();
    // Lines before the rows can be read from their position.
    expect(fitToBudget(rows, MIN_VIEW_TOKENS, undefined, { first: 50, hint }).output).toContain(
      'from position',
    );
  });

  test('counts what was left out as it came, whatever its text takes', () => {
    const bad = (length: number): ViewLine => ({
      position: 0,
      text: '\ufffd'.repeat(length),
      bytes: length,
    });
    const lines = Array.from({ length: 400 }, () => bad(9));
    const { output, omitted } = fitToBudget(lines, MIN_VIEW_TOKENS);
    const kept = output.split('\n').length - 1;
    expect(omitted).toEqual({ lines: 400 - kept, bytes: 10 * (400 - kept), from: 0 });
    // A single line that is cut.
    const cut = fitToBudget([bad(3000)], MIN_VIEW_TOKENS);
    expect(cut.omitted!.bytes).toBe(3000 - [...cut.output.matchAll(/\ufffd/g)].length);
  });

  test('fits exactly, and a byte more does not', () => {
    const bytes = 4 * MIN_VIEW_TOKENS;
    expect(fitToBudget(linesOf(['x'.repeat(bytes)]), MIN_VIEW_TOKENS).omitted).toBeUndefined();
    expect(fitToBudget(linesOf(['x'.repeat(bytes + 1)]), MIN_VIEW_TOKENS).omitted).toBeDefined();
  });

  test('cuts a line only if it is longer than its share by itself', () => {
    const { output, omitted } = fitToBudget(
      linesOf(['first', 'x'.repeat(5000), 'last']),
      MIN_VIEW_TOKENS,
    );
    expect(output).toMatch(/^first\nx+\n\[4\d\d\d bytes in 1 line left out.*\]\nx+\nlast$/);
    expect(omitted).toMatchObject({ lines: 1, from: 1001 });
  });

  test('does not cut a character, a letter from its accent, or a family apart', () => {
    for (const grapheme of ['é', 'e\u0301', '😀', '👩‍👩‍👧', '🇨🇭', '中']) {
      for (let shift = 0; shift < 12; shift++) {
        const text = `${'x'.repeat(shift)}${`${grapheme} `.repeat(300)}${'x'.repeat(shift)}`;
        const { output } = fitToBudget(linesOf([text]), MIN_VIEW_TOKENS);
        const [head, , tail] = output.split('\n');
        expect(`${head}${tail}`.replaceAll(grapheme, '')).toMatch(/^[x ]+$/);
      }
    }
  });

  test('says what was already gone, also when nothing has to be cut', () => {
    expect(fitToBudget(numberedLines(2), 100, { lines: 7, bytes: 70, before: 1 })).toEqual({
      output: 'line 1\n[70 bytes in 7 lines no longer kept]\nline 2',
      omitted: { lines: 7, bytes: 70 },
    });
  });

  test('is cut where lines were already gone, and counts both', () => {
    const { output, omitted } = fitToBudget(numberedLines(1000), 128, {
      lines: 50,
      bytes: 500,
      before: 500,
    });
    expect(output).toContain('of them 500 bytes in 50 lines no longer kept; read from position');
    expect(output).toMatch(/^line 1\n/);
    expect(output).toMatch(/\nline 1000$/);
    expect(omitted!.lines).toBe(1000 + 50 + 1 - output.split('\n').length);
  });

  test('begins with the cut where the beginning is gone', () => {
    const { output } = fitToBudget(numberedLines(1000), 128, { lines: 50, bytes: 500, before: 0 });
    expect(output.split('\n')[0]).toMatch(MARKER);
    expect(output).toMatch(/\nline 1000$/);
  });

  test('is never over the budget, and what is shown and what is omitted are all there was', () => {
    const random = seeded(5);
    const pieces = ['a', 'é', '中', '😀', 'e\u0301', ' ', '👩‍👩‍👧'];
    for (let round = 0; round < 1000; round++) {
      const longest = random.pick([3, 40, 800]);
      const texts = random.list(random.pick([3, 30, 100]), () =>
        random.list(longest, () => random.pick(pieces)).join(''),
      );
      const gone: LostOutputInView | undefined = random.below(2)
        ? {
            lines: 1 + random.below(9),
            bytes: 10 + random.below(99),
            before: random.below(texts.length + 1),
          }
        : undefined;
      const maxTokens = MIN_VIEW_TOKENS + random.below(1000);
      checkFit(texts, maxTokens, gone);
    }
  });
});

function checkFit(texts: readonly string[], maxTokens: number, gone?: LostOutputInView) {
  const { output, omitted } = fitToBudget(linesOf(texts), maxTokens, gone);
  const verify = (claim: boolean, what: string) => {
    if (!claim) expect.fail(`${what}: ${JSON.stringify({ texts, maxTokens, gone })}`);
  };

  verify(Buffer.byteLength(output) <= 4 * maxTokens, 'over budget');
  verify(!/\p{Surrogate}/u.test(output), 'lone surrogate');
  if (!omitted) {
    verify(gone === undefined && output === texts.join('\n'), 'whole');
    return;
  }

  const shown = output.split('\n');
  const at = shown.findIndex((line) => MARKER.test(line));
  const head = shown.slice(0, at);
  const tail = shown.slice(at + 1);
  const isWhole = (line: string, index: number) => line === texts[index];
  const headWhole = head.filter(isWhole).length;
  const tailWhole = tail.filter((line, index) =>
    isWhole(line, texts.length - tail.length + index),
  ).length;
  verify(head.length - headWhole <= 1 && tail.length - tailWhole <= 1, 'one part each');
  verify(headWhole + tailWhole + omitted.lines === texts.length + (gone?.lines ?? 0), 'lines');
  verify(texts.join('\n').startsWith(head.join('\n')), 'head');
  verify(texts.join('\n').endsWith(tail.join('\n')), 'tail');

  const bytes = (lines: readonly string[]) =>
    lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
  const headBytes = bytes(head) - (head.length - headWhole);
  const total = bytes(texts) + (gone?.bytes ?? 0);
  verify(headBytes + omitted.bytes + bytes(tail) === total, 'bytes');

  const kept = headWhole + tailWhole < texts.length;
  verify(omitted.from === (kept ? 1000 + headWhole : undefined), 'from');
}
