import { expect, test } from 'vitest';
import { bounded } from '../../src/mcp/bounded.ts';
import type { Sessions } from '../../src/session/sessions.ts';

/** Sessions that open at once, beside one that another door has opened. */
const behindDoor = (limit: number) => {
  const states = new Map([['theirs', 'waiting']]);
  const open = async () => {
    const session = `ours-${states.size}`;
    states.set(session, 'waiting');
    return { session };
  };
  const list = async () => [...states].map(([session, state]) => ({ session, state, idleMs: 5 }));
  const sessions = { open, run: open, list } as unknown as Sessions;
  return { states, sessions: bounded(sessions, limit) };
};

const TOO_MANY = { code: 'TOO_MANY_SESSIONS' };

test('through one door so many sessions can be opened, whatever others have opened', async () => {
  const { sessions } = behindDoor(2);
  await sessions.open({});
  await sessions.run('ls');
  await expect(sessions.open({})).rejects.toMatchObject(TOO_MANY);
  await expect(sessions.run('ls')).rejects.toMatchObject(TOO_MANY);
});

test('a command in a session that is there opens none', async () => {
  const { sessions } = behindDoor(1);
  const { session } = await sessions.open({});
  await expect(sessions.run('ls', { session })).resolves.toBeDefined();
});

test('those that are opened at once count, and those that failed or have exited do not', async () => {
  const { sessions, states } = behindDoor(2);
  const all = await Promise.allSettled([1, 2, 3, 4].map(() => sessions.open({})));
  const opened = all.filter(({ status }) => status === 'fulfilled').length;
  expect(opened).toBeLessThanOrEqual(2);
  while ((await sessions.list()).length < 3) await sessions.open({});
  await expect(sessions.open({})).rejects.toMatchObject(TOO_MANY);
  states.set('ours-1', 'exited');
  await sessions.open({});
  await expect(sessions.open({})).rejects.toMatchObject(TOO_MANY);
});
