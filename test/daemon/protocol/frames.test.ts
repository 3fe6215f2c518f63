import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameDecoder } from '../../../src/daemon/protocol/frames.ts';

const decode = (decoder: FrameDecoder, ...chunks: readonly (string | Buffer)[]) =>
  chunks.flatMap((chunk) => [...decoder.receive(Buffer.from(chunk as string))]);

describe('messages', () => {
  const messages = [{ text: 'é漢😀' }, {}, { odd: [Number.POSITIVE_INFINITY, 1.5, null] }];
  const bytes = Buffer.from(messages.map(encodeFrame).join(''));

  test('arrive as they were sent, in chunks of any size', () => {
    for (let size = 1; size <= bytes.length; size++) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(decode(new FrameDecoder(1000), ...chunks)).toEqual(messages);
    }
  });

  test('keep NaN, which JSON does not have', () => {
    const [message] = decode(new FrameDecoder(1000), encodeFrame({ ms: Number.NaN }));
    expect(message).toEqual({ ms: Number.NaN });
  });

  test('may be as long as the limit, and no longer', () => {
    const body = JSON.stringify('x'.repeat(98));
    expect(decode(new FrameDecoder(100), `Content-Length: 100\r\n\r\n${body}`)).toHaveLength(1);
    expect(() => decode(new FrameDecoder(99), 'Content-Length: 100\r\n\r\n')).toThrow(
      /invalid message header/,
    );
  });

  test.each(['Content-Length: -1', 'Content-Length: 1e2', 'Content-Length: ', 'Length: 5'])(
    'need a valid length, unlike %j',
    (header) => {
      expect(() => decode(new FrameDecoder(1000), `${header}\r\n\r\n`)).toThrow(
        /invalid message header/,
      );
    },
  );

  test('have a short header: a longer one is refused before its end', () => {
    const decoder = new FrameDecoder(1000);
    expect(decode(decoder, 'x'.repeat(63))).toEqual([]);
    expect(() => decode(decoder, 'x')).toThrow(/invalid message header/);
  });
});
