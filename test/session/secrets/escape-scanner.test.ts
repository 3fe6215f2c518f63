import { expect, test } from 'vitest';
import { EscapeScanner } from '../../../src/session/secrets/escape-scanner.ts';
import { seeded } from '../../helpers/seeded.ts';

const pieces = ['\x1b', '[', ']', '1', 'm', '\x07', '\\', '\x18', 'a', '\r\n', 'é'];

test('many bytes at once leave it in the state in which each by itself does', () => {
  const { list, pick } = seeded(1);
  const [atOnce, oneByOne] = [new EscapeScanner(), new EscapeScanner()];
  let inSequence = 0;
  for (let chunk = 0; chunk < 5000; chunk++) {
    const text = list(7, () => pick(pieces)).join('');
    const bytes = Buffer.from(text);
    atOnce.takeAll(bytes);
    for (const byte of bytes) oneByOne.take(byte);
    expect([text, atOnce.state]).toEqual([text, oneByOne.state]);
    if (atOnce.isInSequence) inSequence++;
  }
  expect(inSequence).toBeGreaterThan(500);
  expect(inSequence).toBeLessThan(4500);
});
