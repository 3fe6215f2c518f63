import { describe, expect, onTestFinished, test } from 'vitest';
import { limitSessions } from '../../src/mcp/limit-sessions.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import type { Sessions } from '../../src/session/sessions.ts';

/** Sessions that open at once, beside one that another door has opened. */
const behindDoor = (limit: number) => {
  const states = new Map([['theirs', 'waiting']]);
  const open = async () => {
    const session = `ours-${states.size}`;
    states.set(session, 'waiting');
    return { session, state: 'waiting' };
  };
  const ages = { idleMs: 5, ageMs: 1e6 };
  const list = async () => [...states].map(([session, state]) => ({ session, state, ...ages }));
  const sessions = { open, run: open, list } as unknown as Sessions;
  return { states, sessions: limitSessions(sessions, limit) };
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

describe('one that somebody else has opened does not count', () => {
  const door = () => {
    const shared = new LocalSessions();
    onTestFinished(() => shared.closeAll({ graceMs: 0 }).then(() => {}));
    return { shared, ours: limitSessions(shared, 1) };
  };
  const cat = { command: 'cat', name: 'one' };

  test('where it has the name of a command that is over', async () => {
    const { shared, ours } = door();
    const { session } = await ours.run('true');
    await shared.open({ ...cat, name: session });
    await expect(ours.open({ command: 'cat' })).resolves.toMatchObject({ state: 'waiting' });
  });

  test('where it has the name of a session that is closed', async () => {
    const { shared, ours } = door();
    await ours.open(cat);
    await expect(ours.open({ command: 'cat' })).rejects.toMatchObject(TOO_MANY);
    await shared.close('one');
    await shared.open(cat);
    await expect(ours.open({ command: 'cat' })).resolves.toMatchObject({ state: 'waiting' });
  });
});
