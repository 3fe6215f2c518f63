import { expect, test } from 'vitest';
import { chooseSessionName } from '../../src/session/session-names.ts';

const free = () => false;

test.each([
  ['/usr/bin/python3', 'python3'],
  ['./my tool!', 'my-tool-'],
  ['/opt/.hidden', 'hidden'],
  ['-bash', 'bash'],
  ['日本', 'session'],
  ['x'.repeat(100), 'x'.repeat(56)],
])('a session of %s is called %s', (program, name) => {
  expect(chooseSessionName(undefined, program, free)).toBe(name);
});

test('if a name is taken a number is added to it, and the result is a valid name', () => {
  const taken = new Set<string>();
  for (const program of ['cat', 'cat', 'cat', 'x'.repeat(100), 'x'.repeat(100)])
    taken.add(chooseSessionName(undefined, program, (name) => taken.has(name)));
  expect([...taken]).toEqual(['cat', 'cat-2', 'cat-3', 'x'.repeat(56), `${'x'.repeat(56)}-2`]);
  for (const name of taken) expect(chooseSessionName(name, 'any', free)).toBe(name);
});

test('a name is refused if it is taken, or would have to be quoted', () => {
  expect(() => chooseSessionName('cat', 'any', () => true)).toThrow(
    expect.objectContaining({ code: 'NAME_TAKEN' }),
  );
  for (const name of ['', '-x', 'a b', 'a/b', 'ä', 'x'.repeat(65)])
    expect(() => chooseSessionName(name, 'any', free)).toThrow(
      expect.objectContaining({ code: 'UNUSABLE_NAME' }),
    );
});
