import { afterEach, expect, test } from 'vitest';
import { systemClock } from '../../../src/dialects/shared/clock.ts';
import { DialectSessionTable } from '../../../src/dialects/shared/dialect-session-table.ts';
import { UnreadOutput } from '../../../src/dialects/shared/unread-output.ts';

const tables: DialectSessionTable<UnreadOutput, { note: string }>[] = [];
afterEach(() => Promise.all(tables.splice(0).map((table) => table.close())));

/** A table that makes these ids, one after another. */
const tableOf = (...ids: string[]) => {
  const table = new DialectSessionTable<UnreadOutput, { note: string }>({
    clock: systemClock,
    sandbox: {},
    newId: () => ids.shift()!,
    notFound: (id) => `no ${id}`,
  });
  tables.push(table);
  const open = (note: string) =>
    table.withNewId(async (id) => {
      const session = await table.open(id, new UnreadOutput(100), { command: ['/bin/cat'] });
      table.add({ session, note });
      return id;
    });
  return { table, open };
};

test('a session is found by its id, with the data of its dialect, until it is deleted', async () => {
  const { table, open } = tableOf('a');
  expect(await open('first')).toBe('a');
  const known = table.find('a');
  expect(known).toMatchObject({ note: 'first', session: { id: 'a', pid: expect.any(Number) } });
  expect(() => table.assertKnown(known)).not.toThrow();
  table.delete('a');
  await known.session.end({ graceMs: 0 });
  expect(table.has('a')).toBe(false);
  expect(() => table.find('a')).toThrow('no a');
  expect(() => table.assertKnown(known)).toThrow('no a');
});

test('another session with the same id is not the one that was deleted', async () => {
  const { table, open } = tableOf('a', 'a');
  await open('first');
  const first = table.find('a');
  table.delete('a');
  await first.session.end({ graceMs: 0 });
  await open('second');
  expect(table.find('a').note).toBe('second');
  expect(() => table.assertKnown(first)).toThrow('no a');
});

test('a session counts once, from the moment its id is reserved', async () => {
  const { table, open } = tableOf('a', 'b');
  const opening = open('first');
  expect(table.count).toBe(1);
  expect(table.has('a')).toBe(false);
  await opening;
  expect(table.count).toBe(1);
  await table.withNewId(async (id) => {
    const session = await table.open(id, new UnreadOutput(100), { command: ['/bin/cat'] });
    table.add({ session, note: 'second' });
    expect(table.count).toBe(2);
  });
  expect(table.list().map(({ note }) => note)).toEqual(['first', 'second']);
});

test('an id is neither that of a known session nor of one being opened', async () => {
  const { open } = tableOf('a', 'a', 'b', 'a', 'b', 'c');
  expect(await Promise.all([open('first'), open('second')])).toEqual(['a', 'b']);
  expect(await open('third')).toBe('c');
});

test('a session that could not be opened does not count', async () => {
  const { table } = tableOf('a');
  const failing = table.withNewId((id) =>
    table.open(id, new UnreadOutput(100), { command: ['/nonexistent/program'] }),
  );
  await expect(failing).rejects.toMatchObject({ code: 'PROGRAM_NOT_FOUND' });
  expect(table.count).toBe(0);
});

test('expired sessions are deleted and returned', async () => {
  const { table, open } = tableOf('a', 'b');
  await open('old');
  await open('new');
  const expired = table.deleteExpired(({ note }) => note === 'old');
  expect(expired.map(({ session }) => session.id)).toEqual(['a']);
  expect(table.list().map(({ session }) => session.id)).toEqual(['b']);
});
