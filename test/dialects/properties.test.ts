/** Properties of output buffers and truncation, for random texts in random pieces. */
import { expect, test } from 'vitest';
import { codexTokenCount, truncateInTheMiddle } from '../../src/dialects/codex/truncate.ts';
import { OutputRing } from '../../src/dialects/hive/output-ring.ts';
import { omittedBytesMarker, UnreadOutput } from '../../src/dialects/shared/unread-output.ts';
import { OutputLineQueue } from '../../src/dialects/tricode/output-line-queue.ts';
import { cutToTokenBudget } from '../../src/dialects/unified/truncate.ts';
import { forSeeds, type Random } from '../helpers/seeded.ts';

const letters = ['a', 'b', 'é', '中', '😀', ' ', '\n'];

const randomText = ({ list, pick }: Random, maxLength: number) =>
  list(maxLength, () => pick(letters)).join('');

/** Cuts the text into pieces that may end inside a character. */
function* cut(text: string, { below }: Random): Generator<Buffer> {
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; ) {
    const end = start + 1 + below(9);
    yield bytes.subarray(start, end);
    start = end;
  }
}

test('unread output is returned once and complete, except for bytes reported as omitted', () => {
  forSeeds(300, (random) => {
    const text = randomText(random, 80);
    const kept = 8 + random.below(120);
    const unread = new UnreadOutput(kept);
    let returned = '';
    let bytes = 0;
    let omitted = 0;
    const take = (isFinal: boolean) => {
      const taken = unread.take({ maxBytes: 8 + random.below(40), isFinal });
      returned += taken.text;
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
    if (omitted === 0) expect(returned).toBe(text);
  });
});

test('a ring returns every byte that it keeps once, the oldest first, and cuts no character', () => {
  forSeeds(300, (random) => {
    const text = randomText(random, 200);
    const ring = new OutputRing(10_000);
    let returned = '';
    for (const piece of cut(text, random)) {
      ring.push(piece);
      if (random.below(4) === 0) returned += ring.take(4 + random.below(30)).bytes.toString();
    }
    for (let more = true; more; ) {
      const taken = ring.take(4 + random.below(30));
      returned += taken.bytes.toString();
      more = taken.more;
    }
    expect(returned).toBe(text);
    expect(ring.unreturned).toEqual([]);
  });
});

test('lines end with \\n, \\r\\n or \\r, however their bytes are cut', () => {
  forSeeds(200, (random) => {
    const text = random.list(100, () => random.pick([...letters, '\r', '\r\n'])).join('');
    const lines = new OutputLineQueue(100_000);
    const returned: string[] = [];
    for (const piece of cut(text, random)) {
      lines.push(piece);
      while (lines.has(false)) returned.push(lines.shift(false)!);
    }
    while (lines.has(true)) returned.push(lines.shift(true)!);
    const expected = text.split(/\r\n|\r|\n/);
    if (expected.at(-1) === '') expected.pop();
    expect(returned).toEqual(expected);
  });
});

test('output for codex fits its budget, and is the beginning and the end of the whole', () => {
  forSeeds(300, (random) => {
    const text = randomText(random, 300);
    const bytes = Buffer.byteLength(text);
    const maxTokens = random.below(60);
    const shown = truncateInTheMiddle({ text, bytes, omitted: 0 }, maxTokens);
    if (bytes <= 4 * maxTokens) {
      expect(shown).toBe(text);
      return;
    }
    const [, head = '', removed, tail = ''] =
      /^Warning: [^\n]+\nTotal output lines: \d+\n\n(.*?)…(\d+) tokens truncated…(.*)$/s.exec(
        shown,
      ) ?? [];
    expect(text.startsWith(head) && text.endsWith(tail)).toBe(true);
    expect(Buffer.byteLength(head + tail)).toBeLessThanOrEqual(4 * maxTokens);
    expect(Number(removed)).toBe(codexTokenCount(bytes - 4 * maxTokens));
    expect(head + tail).not.toContain('\ufffd');
  });
});

test('output cut by characters has as many as fit, and no half ones', () => {
  forSeeds(300, (random) => {
    const text = randomText(random, 100);
    const maxTokens = 1 + random.below(30);
    const { output, truncated } = cutToTokenBudget(text, maxTokens);
    const characters = [...text];
    expect(truncated).toBe(characters.length > 4 * maxTokens);
    const kept = characters.slice(0, 4 * maxTokens).join('');
    expect(output).toBe(truncated ? `${kept}\n[Output truncated]` : text);
  });
});

test('the marker stands where output was omitted', () => {
  forSeeds(300, (random) => {
    const text = random.list(300, () => random.pick(['a', 'b', '\n'])).join('');
    const kept = 10 + random.below(100);
    const unread = new UnreadOutput(kept);
    for (const piece of cut(text, random)) unread.push(piece);
    const { text: returned, omitted } = unread.take({ isFinal: true });
    expect(omitted).toBe(Math.max(0, text.length - kept));
    const half = Math.floor(kept / 2);
    const expected = text.slice(0, half) + omittedBytesMarker(omitted) + text.slice(half + omitted);
    expect(returned).toBe(omitted === 0 ? text : expected);
  });
});
