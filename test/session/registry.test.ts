import { expect, test } from 'vitest';
import { Registry } from '../../src/session/registry.ts';
import type { Session } from '../../src/session/session.ts';

const survivors = { survivors: [] };

/** A session that closes when the test says so: each call to close by itself. */
const slowToClose = (name: string) => {
  const closings: (() => void)[] = [];
  const close = () =>
    new Promise((resolve) => {
      closings.push(() => resolve(survivors));
    });
  return { session: { name, usedMs: 0, channel: {}, close } as unknown as Session, closings };
};

const add = (registry: Registry, session: Session) =>
  registry.add(session.name, '', { permit: async () => {}, open: async () => session });

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('whoever closes a session late does not close the next one of its name', async () => {
  const registry = new Registry({ maxSessions: 2, idleMs: 0 });
  const { session, closings } = slowToClose('one');
  await add(registry, session);
  const early = registry.close(session);
  const late = registry.close(session);
  closings[0]!();
  await early;
  expect(registry.all).toEqual([]);
  const next = slowToClose('one').session;
  await add(registry, next);
  closings[1]!();
  await late;
  expect(registry.find('one')).toBe(next);
});

test('whoever closes all waits also for what was dismissed before, and its name is free then', async () => {
  const registry = new Registry({ maxSessions: 2, idleMs: 0 });
  const { session, closings } = slowToClose('one');
  await add(registry, session);
  const dismissed = registry.dismiss(session);
  expect(registry.all).toEqual([]);
  let isClosed = false;
  const all = registry.closeAll({}).then(() => {
    isClosed = true;
  });
  await turn();
  closings[1]!();
  await turn();
  expect(isClosed).toBe(false);
  closings[0]!();
  await Promise.all([dismissed, all]);
  const next = slowToClose('one').session;
  await add(registry, next);
  expect(registry.find('one')).toBe(next);
});
