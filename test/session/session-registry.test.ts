import { expect, test } from 'vitest';
import type { Session } from '../../src/session/session.ts';
import { SessionRegistry } from '../../src/session/session-registry.ts';

const survivors = { survivors: [] };

/** A session that closes when the test says so, separately for each call of `close`. */
const slowToClose = (name: string) => {
  const closings: (() => void)[] = [];
  const close = () =>
    new Promise((resolve) => {
      closings.push(() => resolve(survivors));
    });
  return { session: { name, usedMs: 0, channel: {}, close } as unknown as Session, closings };
};

const add = (registry: SessionRegistry, session: Session) =>
  registry.add(session.name, '', { permit: async () => {}, open: async () => session });

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('closing a session late does not close the next session of its name', async () => {
  const registry = new SessionRegistry({ maxSessions: 2, idleMs: 0 });
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

test('closing all also waits for dismissed sessions, and then their names are free', async () => {
  const registry = new SessionRegistry({ maxSessions: 2, idleMs: 0 });
  const { session, closings } = slowToClose('one');
  await add(registry, session);
  const dismissed = registry.dismiss(session);
  expect(registry.all).toEqual([]);
  let isClosed = false;
  const all = registry.closeAll({}).then(() => {
    isClosed = true;
  });
  await nextTurn();
  closings[1]!();
  await nextTurn();
  expect(isClosed).toBe(false);
  closings[0]!();
  await Promise.all([dismissed, all]);
  const next = slowToClose('one').session;
  await add(registry, next);
  expect(registry.find('one')).toBe(next);
});
