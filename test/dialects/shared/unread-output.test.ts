import { describe, expect, test } from 'vitest';
import { ByteQueue } from '../../../src/dialects/shared/byte-queue.ts';
import { UnreadOutput } from '../../../src/dialects/shared/unread-output.ts';

describe('unread output', () => {
  test('is returned once, in order', () => {
    const unread = new UnreadOutput(100);
    unread.push(Buffer.from('one '));
    unread.push(Buffer.from('two'));
    expect(unread.take()).toEqual({ text: 'one two', bytes: 7, omitted: 0 });
    expect(unread.take()).toEqual({ text: '', bytes: 0, omitted: 0 });
  });

  test('is kept at both ends, and the bytes dropped between them are counted', () => {
    const unread = new UnreadOutput(10);
    for (const byte of 'abcdefghijklmnop') unread.push(Buffer.from(byte));
    expect(unread.take()).toEqual({
      text: 'abcde\n... 6 bytes omitted ...\nlmnop',
      bytes: 16,
      omitted: 6,
    });
    unread.push(Buffer.from('0123456789'));
    expect(unread.take()).toEqual({ text: '0123456789', bytes: 10, omitted: 0 });
  });

  test('can be taken in pieces, across the dropped part', () => {
    const unread = new UnreadOutput(10);
    unread.push(Buffer.from('abcdefghijklmnop'));
    expect(unread.take({ maxBytes: 3 }).text).toBe('abc');
    expect(unread.take({ maxBytes: 4 }).text).toBe('de\n... 6 bytes omitted ...\nlm');
    unread.push(Buffer.from('q'));
    expect(unread.take({ maxBytes: 100 }).text).toBe('nopq');
  });

  test.each([
    ['ä', 1],
    ['€', 1],
    ['€', 2],
    ['😀', 1],
    ['😀', 3],
  ])('leaves an incomplete character for later: %s after %i bytes', (character, at) => {
    const bytes = Buffer.from(`a${character}b`);
    const unread = new UnreadOutput(100);
    unread.push(bytes.subarray(0, 1 + at));
    expect(unread.take().text).toBe('a');
    unread.push(bytes.subarray(1 + at));
    expect(unread.take().text).toBe(`${character}b`);
  });

  test('keeps a character whole that lies across head and tail', () => {
    const unread = new UnreadOutput(10);
    unread.push(Buffer.from('abcd中efg'));
    expect(unread.take({ maxBytes: 5 }).text).toBe('abcd');
    expect(unread.take().text).toBe('中efg');
    unread.push(Buffer.from('abcd中efg'));
    expect(unread.take().text).toBe('abcd中efg');
  });

  test('returns an incomplete character if no output will follow', () => {
    const unread = new UnreadOutput(100);
    unread.push(Buffer.from([0x61, 0xe2, 0x82]));
    expect(unread.take({ isFinal: true }).text).toBe('a\ufffd');
    expect(unread.size).toBe(0);
  });
});

test('a queue of bytes returns what was pushed, whatever the pieces', () => {
  const queue = new ByteQueue();
  const all = Buffer.from(Array.from({ length: 200_000 }, (_, at) => (at * 7 + (at >> 8)) & 0xff));
  let put = 0;
  let taken = 0;
  for (let step = 1; taken < all.length; step = (step * 31 + 7) % 40_000) {
    const to = Math.min(all.length, put + step);
    queue.push(all.subarray(put, to));
    put = to;
    const count = Math.min(queue.size, Math.ceil(step * 0.9) + 1);
    expect(queue.slice(0, count).equals(all.subarray(taken, taken + count))).toBe(true);
    expect(queue.slice(count, queue.size).equals(all.subarray(taken + count, put))).toBe(true);
    queue.drop(count);
    taken += count;
    expect(queue.size).toBe(put - taken);
  }
});
