import { describe, expect, test } from 'vitest';
import {
  encodeFrame,
  FrameDecoder,
  type FrameFormat,
} from '../../../src/daemon/protocol/frames.ts';

const decode = (decoder: FrameDecoder, ...chunks: readonly (string | Uint8Array)[]) =>
  chunks.flatMap((chunk) => [...decoder.receive(Buffer.from(chunk as string))]);

const encode = (message: object, format: FrameFormat) =>
  Buffer.concat(encodeFrame(message, format));

describe.each(['text', 'binary'] as const)('messages in %s frames', (format) => {
  const messages = [{ text: 'é漢😀' }, {}, { odd: [Number.POSITIVE_INFINITY, 1.5, null] }];
  const bytes = Buffer.concat(messages.map((message) => encode(message, format)));

  test('arrive as they were sent, in chunks of any size', () => {
    for (let size = 1; size <= bytes.length; size++) {
      const chunks: Buffer[] = [];
      for (let at = 0; at < bytes.length; at += size) chunks.push(bytes.subarray(at, at + size));
      expect(decode(new FrameDecoder(1000), ...chunks)).toEqual(messages);
    }
  });

  test('keep NaN, which JSON does not have', () => {
    const [message] = decode(new FrameDecoder(1000), encode({ ms: Number.NaN }, format));
    expect(message).toEqual({ ms: Number.NaN });
  });

  test('are known by their first byte, and the decoder says which they were', () => {
    const decoder = new FrameDecoder(1000);
    decode(decoder, encode({}, format));
    expect(decoder.format).toBe(format);
    expect(decoder.isInMessage).toBe(false);
    decode(decoder, encode({}, format).subarray(0, -1));
    expect(decoder.isInMessage).toBe(true);
  });
});

describe('bytes', () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
  const message = { one: bytes, list: [{ two: bytes.subarray(3, 7) }], none: new Uint8Array() };

  test('are carried as they are in binary frames', () => {
    const frame = encode(message, 'binary');
    expect(frame.includes(Buffer.from(bytes))).toBe(true);
    const [decoded] = decode(new FrameDecoder(1000), frame);
    expect(decoded).toEqual(message);
  });

  test('are base64 in text frames, as protocol 1 has them', () => {
    const [decoded] = decode(new FrameDecoder(1000), encode({ bytes }, 'text'));
    expect(decoded).toEqual({ bytes: Buffer.from(bytes).toString('base64') });
  });

  test.each([[[0, 5]], [[-1, 1]], [[0.5, 1]], ['x'], [null]])(
    'that the message does not have are refused: %j',
    (place) => {
      const frame = encode({ it: { $bytes: place } }, 'binary');
      expect(() => decode(new FrameDecoder(1000), frame)).toThrow(/not in the message/);
    },
  );
});

describe('a text header', () => {
  test('may announce as much as the limit, and no more', () => {
    const body = JSON.stringify('x'.repeat(98));
    expect(decode(new FrameDecoder(100), `Content-Length: 100\r\n\r\n${body}`)).toHaveLength(1);
    expect(() => decode(new FrameDecoder(99), 'Content-Length: 100\r\n\r\n')).toThrow(
      /invalid message header/,
    );
  });

  test.each(['Content-Length: -1', 'Content-Length: 1e2', 'Content-Length: ', 'Length: 5'])(
    'needs a valid length, unlike %j',
    (header) => {
      expect(() => decode(new FrameDecoder(1000), `${header}\r\n\r\n`)).toThrow(
        /invalid message header/,
      );
    },
  );

  test('is short: a longer one is refused before its end', () => {
    const decoder = new FrameDecoder(1000);
    expect(decode(decoder, 'x'.repeat(63))).toEqual([]);
    expect(() => decode(decoder, 'x')).toThrow(/invalid message header/);
  });
});

describe('a binary header', () => {
  const header = (...words: readonly number[]) => {
    const bytes = Buffer.alloc(12);
    for (const [at, word] of words.entries()) bytes.writeUInt32LE(word, at * 4);
    return bytes;
  };

  test('may announce as much as the limit in both parts together, and no more', () => {
    expect(decode(new FrameDecoder(10), header(1, 4, 6))).toEqual([]);
    expect(() => decode(new FrameDecoder(10), header(1, 4, 7))).toThrow(/too long/);
    expect(() => decode(new FrameDecoder(10), header(1, 2 ** 32 - 1, 2 ** 32 - 1))).toThrow(
      /too long/,
    );
  });

  test('of another kind is refused', () => {
    expect(() => decode(new FrameDecoder(10), header(0x101, 1, 0))).toThrow(/invalid message/);
  });
});
