import { describe, expect, test } from 'vitest';
import { TypedLine } from '../../src/state/typed-line.ts';

const typed = (...writes: string[]): TypedLine => {
  const line = new TypedLine();
  for (const write of writes) line.note(write);
  return line;
};

describe('the echo of a typed line', () => {
  test('is the text before the cursor once Enter was pressed', () => {
    expect(typed('sleep 9', '\r').isEcho('$ sleep 9')).toBe(true);
    expect(typed('sle', 'ep 9\r').isEcho('$ sleep 9')).toBe(true);
    expect(typed('first\nsecond\r').isEcho('$ second')).toBe(true);
  });
  test('is not confused by a key that was for a pager', () => {
    expect(typed('q', 'sleep 9', '\r').isEcho('$ sleep 9')).toBe(true);
  });
  test('is no echo before Enter, nor after the next key', () => {
    expect(typed('sleep 9').isEcho('$ sleep 9')).toBe(false);
    expect(typed('sleep 9', '\r', '\x03').isEcho('$ sleep 9')).toBe(false);
  });
  test('is not taken for a prompt, nor for nothing', () => {
    expect(typed('yes', '\r').isEcho('Are you sure? ')).toBe(false);
    expect(typed('', '\r').isEcho('$ ')).toBe(false);
    expect(typed('yes', '\r').isEcho('')).toBe(false);
  });
});

describe('the prompt at which a line was typed', () => {
  const answered = (prompt: string, ...writes: string[]): TypedLine => {
    const line = new TypedLine();
    for (const [at, write] of writes.entries())
      line.note(write, at === 0 ? { text: prompt, isLikelyLine: false } : undefined);
    return line;
  };
  test('is shown again when the line is answered, perhaps with another number', () => {
    expect(answered('> ', '1 + 1', '\r').isPromptAgain('> ')).toBe(true);
    expect(answered('In [9]: ', '1 + 1\r').isPromptAgain('In [10]: ')).toBe(true);
  });
  test('is not another prompt, nor one at which nothing was shown', () => {
    expect(answered('> ', 'begin', '\r').isPromptAgain('... ')).toBe(false);
    expect(answered('', '1 + 1', '\r').isPromptAgain('')).toBe(false);
    expect(typed('1 + 1', '\r').isPromptAgain('> ')).toBe(false);
  });
  test('does not answer what was typed without Enter, nor the second of two lines', () => {
    expect(answered('> ', '1 + 1').isPromptAgain('> ')).toBe(false);
    expect(answered('> ', 'one\rtwo\r').isPromptAgain('> ')).toBe(false);
    expect(answered('> ', 'one\r', 'two\r').isPromptAgain('> ')).toBe(false);
  });
  test('is that of the line, not of what was shown while it was typed', () => {
    const line = new TypedLine();
    line.note('1 + 1', { text: '> ', isLikelyLine: true });
    line.note('\r', { text: '> 1 + 1', isLikelyLine: false });
    expect(line.wasLikelyLine).toBe(true);
    expect(line.isPromptAgain('> ')).toBe(true);
  });
});
