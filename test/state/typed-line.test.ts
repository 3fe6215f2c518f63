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
