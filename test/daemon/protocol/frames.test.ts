import { describe, expect, test } from 'vitest';
import { encodeFrame, FrameDecoder } from '../../../src/daemon/protocol/frames.ts';

const received = (frames: FrameDecoder, ...chunks: readonly (string | Buffer)[]) =>
  chunks.flatMap((chunk) => [...frames.receive(Buffer.from(chunk as string))]);

describe('messages', () => {
  const messages = [{ text: 'é漢😀' }, {}, { odd: [Number.POSITIVE_INFINITY, 1.5, null] }];
  const bytes = Buffer.from(messages.map(encodeFrame).join(''));

  test('arrive as they were sent, however they are divided', () => {
    for (let size = 1; size <= bytes.length; size++) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(received(new FrameDecoder(1000), ...chunks)).toEqual(messages);
    }
  });

  test('keep numbers that JSON has none of', () => {
    const [message] = received(new FrameDecoder(1000), encodeFrame({ ms: Number.NaN }));
    expect(message).toEqual({ ms: Number.NaN });
  });

  test('may be as long as was said, and no longer', () => {
    const body = JSON.stringify('x'.repeat(98));
    expect(received(new FrameDecoder(100), `Content-Length: 100\r\n\r\n${body}`)).toHaveLength(1);
    expect(() => received(new FrameDecoder(99), 'Content-Length: 100\r\n\r\n')).toThrow(
      /invalid message header/,
    );
  });

  test.each(['Content-Length: -1', 'Content-Length: 1e2', 'Content-Length: ', 'Length: 5'])(
    'have a length: %j is none',
    (header) => {
      expect(() => received(new FrameDecoder(1000), `${header}\r\n\r\n`)).toThrow(
        /invalid message header/,
      );
    },
  );

  test('have a short header, or are not waited for', () => {
    const frames = new FrameDecoder(1000);
    expect(received(frames, 'x'.repeat(63))).toEqual([]);
    expect(() => received(frames, 'x')).toThrow(/invalid message header/);
  });
});
