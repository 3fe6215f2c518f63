import { expect, test } from 'vitest';
import { Screen } from '../../../src/screen/screen.ts';
import { DEFAULT_ACTOR } from '../../../src/session/options/options.ts';
import { SessionReaders } from '../../../src/session/output/session-readers.ts';

test('of 64 readers the longest unused makes room for another, but never the agent', () => {
  const screen = new Screen({ cols: 80, rows: 24 });
  const readers = new SessionReaders(screen);
  const agent = readers.get(DEFAULT_ACTOR);
  const others = Array.from({ length: 63 }, (_, at) => `reader ${at}`);
  const before = others.map((name) => readers.get(name));
  expect(readers.get('reader 0')).toBe(before[0]);
  readers.get('one more');
  expect(screen.history.readers.size).toBe(64);
  expect(readers.get(DEFAULT_ACTOR)).toBe(agent);
  expect(readers.get('reader 0')).toBe(before[0]);
  expect(readers.get('reader 2')).toBe(before[2]);
  expect(readers.get('reader 1')).not.toBe(before[1]);
});
