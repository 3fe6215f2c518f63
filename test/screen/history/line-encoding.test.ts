import { expect, test } from 'vitest';
import { decodeLines, encodeLines } from '../../../src/screen/history/line-encoding.ts';

test('lines are the same when they were encoded and decoded', () => {
  const lines = [
    { id: 1, position: 0, text: '' },
    { id: 2, position: 1, text: 'plain "quoted" \\ \u0007' },
    { id: 3, position: 40, text: 'Grüße, 世界 👩‍👩‍👧', hidden: 3 },
    // Half of a pair, as an emulator may cut it.
    { id: 4, position: 90, text: 'half \ud83d', continues: true as const },
    { id: 5, position: 2 ** 50, text: 'x'.repeat(5000), continues: true as const, hidden: 1 },
  ];
  expect(decodeLines(encodeLines(lines))).toEqual(lines);
  expect(decodeLines(encodeLines([]))).toEqual([]);
});
