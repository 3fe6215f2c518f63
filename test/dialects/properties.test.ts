/** What holds for output however it comes, and however little of it is taken at once. */
import { expect, test } from 'vitest';
import { tokens, truncateMiddle } from '../../src/dialects/codex/truncate.ts';
import { OutputRing } from '../../src/dialects/hive/ring.ts';
import { omissionMarker, UnreadOutput } from '../../src/dialects/shared/unread-output.ts';
import { LineQueue } from '../../src/dialects/tricode/lines.ts';
import { truncateTail as truncateCharacters } from '../../src/dialects/unified/truncate.ts';
import { forSeeds, type Random } from '../helpers/seeded.ts';

const letters = ['a', 'b', 'é', '中', '😀', ' ', '\n'];

const textOf = ({ list, pick }: Random, most: number) => list(most, () => pick(letters)).join('');

/** The text in pieces that may end within a character. */
function* cut(text: string, { below }: Random): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; ) {
    const to = at + 1 + below(9);
    yield bytes.subarray(at, to);
    at = to;
  }
}

test('unread output is given once and whole, but for what is said to be left out', () => {
  forSeeds(300, (random) => {
    const text = textOf(random, 80);
    const kept = 8 + random.below(120);
    const unread = new UnreadOutput(kept);
    let given = '';
    let bytes = 0;
    let omitted = 0;
    const take = (isFinal: boolean) => {
      const taken = unread.take({ maxBytes: 8 + random.below(40), isFinal });
      given += taken.text;
      bytes += taken.bytes;
      omitted += taken.omitted;
    };
    for (const piece of cut(text, random)) {
      unread.push(piece);
      expect(unread.size).toBeLessThanOrEqual(kept);
      if (random.below(4) === 0) take(false);
    }
    while (unread.size > 0) take(true);
    expect(bytes).toBe(Buffer.byteLength(text));
    if (omitted === 0) expect(given).toBe(text);
  });
});

test('a ring gives every byte that it keeps once, the oldest first, and cuts no character', () => {
  forSeeds(300, (random) => {
    const text = textOf(random, 200);
    const ring = new OutputRing(10_000);
    let given = '';
    for (const piece of cut(text, random)) {
      ring.push(piece);
      if (random.below(4) === 0) given += ring.take(4 + random.below(30)).bytes.toString();
    }
    for (let more = true; more; ) {
      const taken = ring.take(4 + random.below(30));
      given += taken.bytes.toString();
      more = taken.more;
    }
    expect(given).toBe(text);
    expect(ring.unreturned).toEqual([]);
  });
});

test('lines are the same lines, however their bytes are cut', () => {
  forSeeds(200, (random) => {
    const text = textOf(random, 100);
    const lines = new LineQueue(100_000);
    const given: string[] = [];
    for (const piece of cut(text, random)) {
      lines.push(piece);
      while (lines.has(false)) given.push(lines.shift(false)!);
    }
    while (lines.has(true)) given.push(lines.shift(true)!);
    const expected = text.split('\n');
    if (expected.at(-1) === '') expected.pop();
    expect(given).toEqual(expected);
  });
});

test('what codex is given fits its budget, and is how the output began and how it ended', () => {
  forSeeds(300, (random) => {
    const text = textOf(random, 300);
    const bytes = Buffer.byteLength(text);
    const maxTokens = random.below(60);
    const shown = truncateMiddle({ text, bytes, omitted: 0 }, maxTokens);
    if (bytes <= 4 * maxTokens) {
      expect(shown).toBe(text);
      return;
    }
    const [, head = '', gone, tail = ''] =
      /^Warning: [^\n]+\nTotal output lines: \d+\n\n(.*?)…(\d+) tokens truncated…(.*)$/s.exec(
        shown,
      ) ?? [];
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(4 * maxTokens);
    expect(Number(gone)).toBe(tokens(bytes - 4 * maxTokens));
    expect(head + tail).not.toContain('\ufffd');
  });
});

test('what is given in characters has as many as fit, and none that is half', () => {
  forSeeds(300, (random) => {
    const text = textOf(random, 100);
    const maxTokens = 1 + random.below(30);
    const { output, truncated } = truncateCharacters(text, maxTokens);
    const characters = [...text];
    expect(truncated).toBe(characters.length > 4 * maxTokens);
    const kept = characters.slice(0, 4 * maxTokens).join('');
    expect(output).toBe(truncated ? `${kept}\n[Output truncated]` : text);
  });
});

test('what was left out is said where it was', () => {
  forSeeds(300, (random) => {
    const text = random.list(300, () => random.pick(['a', 'b', '\n'])).join('');
    const kept = 10 + random.below(100);
    const unread = new UnreadOutput(kept);
    for (const piece of cut(text, random)) unread.push(piece);
    const { text: given, omitted } = unread.take({ isFinal: true });
    expect(omitted).toBe(Math.max(0, text.length - kept));
    const half = Math.floor(kept / 2);
    const expected = text.slice(0, half) + omissionMarker(omitted) + text.slice(half + omitted);
    expect(given).toBe(omitted === 0 ? text : expected);
  });
});
