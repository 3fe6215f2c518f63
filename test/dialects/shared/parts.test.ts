/** Parts of the dialects that can be tested without a program. */
import { describe, expect, test } from 'vitest';
import { chooseSessionToPrune } from '../../../src/dialects/codex/prune.ts';
import { codexShellCommand, quoteShellWords } from '../../../src/dialects/codex/shell-command.ts';
import { truncateInTheMiddle } from '../../../src/dialects/codex/truncate.ts';
import { OutputRing } from '../../../src/dialects/hive/output-ring.ts';
import {
  createPromptMarks,
  hiveCommandOutput,
  printedPrompt,
  removePromptMarks,
} from '../../../src/dialects/hive/prompt-marks.ts';
import { createUnusedId, randomHexId, randomInteger } from '../../../src/dialects/shared/ids.ts';
import { cutToTokenBudget } from '../../../src/dialects/unified/truncate.ts';

describe('codex', () => {
  const session = (name: string, lastUsedMs: number, more: object = {}) => ({
    name,
    lastUsedMs,
    hasExited: false,
    isBusy: false,
    ...more,
  });
  test.each([
    ['the least recently used', [session('b', 2), session('a', 1), session('c', 3)], 'a'],
    ['none of the most recently used', [session('c', 3), session('d', 4)], undefined],
    [
      'a session that has exited first',
      [session('a', 1), session('b', 2, { hasExited: true }), session('c', 3), session('d', 4)],
      'b',
    ],
    [
      'no session with a call in progress',
      [session('a', 1, { isBusy: true }), session('b', 2), session('c', 3)],
      undefined,
    ],
    [
      'no running session while one that has exited has a call in progress',
      [
        session('a', 1),
        session('b', 2, { hasExited: true, isBusy: true }),
        session('c', 3),
        session('d', 4),
      ],
      undefined,
    ],
  ])('1.5 prunes %s', (_, sessions, pruned) => {
    expect(chooseSessionToPrune(sessions, 2)?.name).toBe(pruned);
  });

  const taken = (text: string) => ({ text, bytes: Buffer.byteLength(text), omitted: 0 });
  test('1.5 cuts between characters, and counts by the budget', () => {
    // 3 bytes each: neither the first 8 nor the last 8 bytes end between two characters.
    expect(truncateInTheMiddle(taken('€'.repeat(10)), 4)).toBe(
      'Warning: truncated output (original token count: 8)\nTotal output lines: 1\n\n€€…4 tokens truncated…€€',
    );
    expect(truncateInTheMiddle(taken('abcd'.repeat(4)), 4)).toBe('abcd'.repeat(4));
    expect(truncateInTheMiddle(taken('a\nb\nc\n'), 1)).toMatch(/\nTotal output lines: 3\n/);
  });

  test('1.1 a shell is found by its path or its name, and any other is /bin/sh', () => {
    const [bash] = codexShellCommand('x', { shell: 'bash', login: true });
    expect(bash).toMatch(/\/bash$/);
    expect(codexShellCommand('x', { shell: '/bin/sh', login: false })).toEqual([
      '/bin/sh',
      '-c',
      'x',
    ]);
    expect(codexShellCommand('x', { shell: '/no/such/bash', login: true })).toEqual([
      bash,
      '-lc',
      'x',
    ]);
    expect(codexShellCommand('x', { shell: 'fish', login: true })).toEqual(['/bin/sh', '-lc', 'x']);
  });

  test('1.6 a command is quoted as for a shell', () => {
    expect(quoteShellWords(['/bin/bash', '-lc', "it's $x"])).toBe(`/bin/bash -lc 'it'\\''s $x'`);
  });
});

describe('ids', () => {
  test('are whole numbers from the minimum to the maximum, both included', () => {
    const made = [0, 0.3, 0.4, 0.999].map((random) => randomInteger(1000, 1002, () => random));
    expect(made).toEqual([1000, 1000, 1001, 1002]);
  });

  test('have the requested number of digits', () => {
    const randoms = [0, 0.5, 0.999];
    expect(randomHexId(3, () => randoms.shift()!)).toBe('08f');
  });

  test('are made again while they are taken', () => {
    const made = ['a', 'b', 'c'];
    expect(
      createUnusedId(
        () => made.shift(),
        (id) => id !== 'c',
      ),
    ).toBe('c');
  });
});

describe('hive', () => {
  const marks = createPromptMarks('0'.repeat(32));
  const prompt = printedPrompt(marks);
  test.each([
    ['one line', `ls\r\n${marks.begin}a\r\nb\r\n${prompt}`, 'a\r\nb\r\n'],
    [
      'a line and of jobs beside its echo',
      `one\r\nls\r\ntwo\r\n${marks.begin}a\r\n${prompt}`,
      'one\r\ntwo\r\na\r\n',
    ],
    ['nothing', `true\r\n${marks.begin}${prompt}`, ''],
    ['a mistake', `)\r\nbash: syntax error\r\n${prompt}`, 'bash: syntax error\r\n'],
    [
      'several lines',
      `echo a\r\n${marks.begin}a\r\n${prompt}echo b\r\n${marks.begin}b\r\n${prompt}`,
      'a\r\nb\r\n',
    ],
    [
      'a mistake, then a line',
      `)\r\nbash: syntax error\r\n${prompt}echo b\r\n${marks.begin}b\r\n${prompt}`,
      'bash: syntax error\r\nb\r\n',
    ],
    ['a line of another program', `print(1)\r\n1\r\n>>> `, '1\r\n>>> '],
  ])('2.2 finds the output of %s', (_, shown, output) => {
    expect(hiveCommandOutput(shown, marks, 'ls')).toBe(output);
  });

  test('2.6 marks are removed, and an index in the rest maps back to the original', () => {
    const original = `a${marks.begin}b\r\n${prompt}c`;
    const { text, originalEnd } = removePromptMarks(original, marks);
    expect(text).toBe('ab\r\n$ c');
    expect(original.slice(0, originalEnd(2))).toBe(`a${marks.begin}b`);
    expect(originalEnd(text.length)).toBe(original.length);
  });

  test('skipped output is returned later, and each byte once', () => {
    const ring = new OutputRing(1000);
    ring.push(Buffer.from('old own new'));
    ring.markReturned({ from: 4, to: 8 });
    expect(ring.take(6)).toEqual({
      bytes: Buffer.from('old ne'),
      span: { from: 0, to: 10 },
      more: true,
    });
    expect(ring.take(6)).toEqual({
      bytes: Buffer.from('w'),
      span: { from: 10, to: 11 },
      more: false,
    });
    expect(ring.take(6)).toEqual({
      bytes: Buffer.alloc(0),
      span: { from: 11, to: 11 },
      more: false,
    });
  });
});

test('unified 3.2 counts characters, not UTF-16 units', () => {
  expect(cutToTokenBudget('😀'.repeat(8), 2)).toEqual({
    output: '😀'.repeat(8),
    truncated: false,
  });
  expect(cutToTokenBudget('😀'.repeat(9), 2)).toEqual({
    output: `${'😀'.repeat(8)}\n[Output truncated]`,
    truncated: true,
  });
});
