import { describe, expect, onTestFinished, test } from 'vitest';
import { limitSessions } from '../../src/mcp/limit-sessions.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import type { Sessions } from '../../src/session/sessions.ts';

/** Sessions that open at once. One of them was opened through another door. */
const limitedSessions = (limit: number) => {
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

test('the limit counts only sessions opened through this door', async () => {
  const { sessions } = limitedSessions(2);
  await sessions.open({});
  await sessions.run('ls');
  await expect(sessions.open({})).rejects.toMatchObject(TOO_MANY);
  await expect(sessions.run('ls')).rejects.toMatchObject(TOO_MANY);
});

test('a command in an existing session does not count', async () => {
  const { sessions } = limitedSessions(1);
  const { session } = await sessions.open({});
  await expect(sessions.run('ls', { session })).resolves.toBeDefined();
});

test('sessions being opened count, and those that failed or have exited do not', async () => {
  const { sessions, states } = limitedSessions(2);
  const all = await Promise.allSettled([1, 2, 3, 4].map(() => sessions.open({})));
  const opened = all.filter(({ status }) => status === 'fulfilled').length;
  expect(opened).toBeLessThanOrEqual(2);
  while ((await sessions.list()).length < 3) await sessions.open({});
  await expect(sessions.open({})).rejects.toMatchObject(TOO_MANY);
  states.set('ours-1', 'exited');
  await sessions.open({});
  await expect(sessions.open({})).rejects.toMatchObject(TOO_MANY);
});

describe('a session opened by somebody else does not count', () => {
  const sharedAndLimited = () => {
    const shared = new LocalSessions();
    onTestFinished(() => shared.closeAll({ graceMs: 0 }).then(() => {}));
    return { shared, limited: limitSessions(shared, 1) };
  };
  const cat = { command: 'cat', name: 'one' };

  test('if it has the name of a command that has ended', async () => {
    const { shared, limited } = sharedAndLimited();
    const { session } = await limited.run('true');
    await shared.open({ ...cat, name: session });
    await expect(limited.open({ command: 'cat' })).resolves.toMatchObject({ state: 'waiting' });
  });

  test('if it has the name of a session that was closed', async () => {
    const { shared, limited } = sharedAndLimited();
    await limited.open(cat);
    await expect(limited.open({ command: 'cat' })).rejects.toMatchObject(TOO_MANY);
    await shared.close('one');
    await shared.open(cat);
    await expect(limited.open({ command: 'cat' })).resolves.toMatchObject({ state: 'waiting' });
  });
});
