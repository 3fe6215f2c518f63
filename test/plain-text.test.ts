import { expect, test } from 'vitest';
import { plainText } from '../src/plain-text.ts';

test.each([
  ['vim', 'vim'],
  ['größer', 'größer'],
  ['👩‍👩‍👧 at work', '👩‍👩‍👧 at work'],
  ['\ue0b0 powerline', '\ue0b0 powerline'],
  ['\x1b[2J\x07\n', '␛[2J␇␊'],
  ['a\x7fb\u009bc', 'a␡bc'],
  ['safe\u202eexe.txt', 'safeexe.txt'],
  ['tag\u{e0041}\u2028', 'tag'],
  ['\ud83d', ''],
])('%j is shown as %j', (text, shown) => {
  expect(plainText(text)).toBe(shown);
});

test('it is cut off, and no character in half', () => {
  expect(plainText('x'.repeat(5000))).toHaveLength(1000);
  expect(plainText('ab😀', 3)).toBe('ab');
});
