import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ProgramNotFound, TooManySessions } from '../src/errors.ts';

const root = join(import.meta.dirname, '..');
const codesIn = (file: string, pattern: RegExp) =>
  [...readFileSync(join(root, file), 'utf8').matchAll(pattern)].map(([, code]) => code!).sort();

test('docs/reference/errors.md lists every error code, and no other', () => {
  const thrown = codesIn('src/errors.ts', /code = '([A-Z_]+)'/g);
  expect(codesIn('docs/reference/errors.md', /^## ([A-Z_]+)$/gm)).toEqual(thrown);
  expect(new Set(thrown).size).toBe(thrown.length);
});

test('an error crosses a socket as code, message and details', () => {
  const error = new ProgramNotFound('gbd', ['/usr/bin']);
  expect(JSON.parse(JSON.stringify(error))).toEqual({
    code: 'PROGRAM_NOT_FOUND',
    message:
      'There is no program "gbd" in /usr/bin. Check the spelling, install it, or give its full path.',
    details: { program: 'gbd', searched: ['/usr/bin'] },
  });
  expect(String(error)).toMatch(/^ProgramNotFound: /);
  expect(Object.keys(error)).not.toContain('name');
});

test.each([
  [1, 'There is 1 session already. Close it; idle for: one (2 s).'],
  [8, 'There are 8 sessions already. Close one; idle for: one (2 s).'],
])('where there are too many sessions, with a limit of %d it is said: %s', (limit, message) => {
  expect(new TooManySessions(limit, [{ name: 'one', idleMs: 2000 }]).message).toBe(message);
});

test('an error does not repeat all of what it was given', () => {
  const { message, details } = new ProgramNotFound('x'.repeat(100_000), []).toJSON();
  expect(message.length).toBeLessThan(2100);
  expect(message).toMatch(/^There is no program "x+ \[…\] x+"\. Check the spelling/);
  expect(String(details.program).length).toBeLessThan(10_100);
});
