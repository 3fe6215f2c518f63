import { describe, expect, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import type { ScreenModes } from '../../../src/screen/sequences/modes.ts';
import {
  encodeInput,
  submittedLines,
  writeWithPauses,
} from '../../../src/session/input/encode-input.ts';
import type { LineMode } from '../../../src/system/terminal/pty-device.ts';

const modesAfter = (output: string) => {
  const screen = new Screen({ cols: 80, rows: 24 });
  screen.write(Buffer.from(output));
  return screen.modes;
};
const plain = modesAfter('');
const reading = (modes: ScreenModes, lineMode?: LineMode) => ({ modes, lineMode });
const asText = (writes: readonly { bytes: Uint8Array }[]) =>
  writes.map(({ bytes }) => Buffer.from(bytes).toString());

describe('what is typed', () => {
  test('is the text, then Enter, then the keys', () => {
    expect(asText(encodeInput({ text: 'ls', keys: 'Up C-c' }, reading(plain)))).toEqual([
      'ls',
      '\r',
      '\x1b[A',
      '\x03',
    ]);
    expect(asText(encodeInput({ text: 'ls', submit: false }, reading(plain)))).toEqual(['ls']);
  });

  test('is refused if it is nothing', () => {
    expect(() => encodeInput({}, reading(plain))).toThrow(
      expect.objectContaining({ code: 'EMPTY_SEND' }),
    );
    expect(() => encodeInput({ text: '', submit: false }, reading(plain))).toThrow(
      expect.objectContaining({ code: 'EMPTY_SEND' }),
    );
  });

  test('is refused if it makes a line that the kernel would cut', () => {
    const canonical = { canonical: true, echo: true, signals: true };
    const attempt = (length: number, unfinishedBytes: number) => () =>
      encodeInput(
        { text: 'x'.repeat(length) },
        reading(plain, canonical as never),
        unfinishedBytes,
      );
    expect(attempt(4095, 0)).not.toThrow();
    expect(attempt(4096, 0)).toThrow(expect.objectContaining({ code: 'LINE_TOO_LONG' }));
    expect(attempt(4000, 95)).not.toThrow();
    expect(attempt(4000, 96)).toThrow(expect.objectContaining({ code: 'LINE_TOO_LONG' }));
  });

  test('has as many lines to be echoed as Enter is pressed', () => {
    expect(submittedLines(encodeInput({ text: 'a\nb' }, reading(plain)))).toEqual(['a', 'b']);
    const pasted = encodeInput({ text: 'a\nb' }, reading(modesAfter('\x1b[?2004h')));
    expect(submittedLines(pasted)).toEqual(['a', 'b']);
    const inFish = { ...reading(modesAfter('\x1b[?2004h')), program: 'fish' };
    expect(submittedLines(encodeInput({ text: 'a\nb' }, inFish))).toEqual(['a', 'b']);
    expect(submittedLines(encodeInput({ text: 'a', submit: false }, reading(plain)))).toEqual([]);
  });
});

test('each line waits until the one before it was read', async () => {
  const order: string[] = [];
  await writeWithPauses(
    encodeInput({ text: 'a\nb' }, reading(plain)),
    () => false,
    async () => void order.push('read'),
    async (bytes) => void order.push(Buffer.from(bytes).toString()),
  );
  expect(order).toEqual(['a', '\r', 'read', 'b', '\r']);
});
