import { expect, test } from 'vitest';
import { conversations } from '../../conversations/index.ts';
import { knownToWork } from '../../conversations/known-to-work.ts';

test('docs/reference/known-to-work.md lists the conversations (vitest -u writes it)', async () => {
  await expect(knownToWork(conversations)).toMatchFileSnapshot(
    '../../docs/reference/known-to-work.md',
  );
});

test('conversations have names of their own, and a reason wherever they need not be certain', () => {
  const names = conversations.map(({ name }) => name);
  expect(new Set(names).size).toBe(names.length);
  const unexplained = conversations.flatMap(({ name, steps }) =>
    steps
      .filter(({ expect }) => 'for' in expect && expect.certainty !== undefined && !expect.why)
      .map(() => name),
  );
  expect(unexplained).toEqual([]);
});
