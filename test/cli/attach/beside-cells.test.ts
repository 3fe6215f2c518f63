import { expect, test } from 'vitest';
import { besideCells } from '../../../src/cli/attach/beside-cells.ts';

test.each([
  ['the bell', 'a\x07b', '\x07'],
  ['no bell that ends a title', '\x1b]2;title\x07text', ''],
  ['the clipboard', 'a\x1b]52;c;aGk=\x07b', '\x1b]52;c;aGk=\x07'],
  ["the cursor's shape", '\x1b[4 q\x1b[H', '\x1b[4 q'],
  [
    'how keys are reported',
    '\x1b[>1u\x1b[>4;2m\x1b[?66h\x1b=\x1b[31m',
    '\x1b[>1u\x1b[>4;2m\x1b[?66h\x1b=',
  ],
  ['no image', '\x1bPq#0;2;0;0;0#0~~\x1b\\', ''],
])('beside the cells of a mirrored screen: %s', (_, output, passed) => {
  expect(besideCells(Buffer.from(output))).toBe(passed);
});
