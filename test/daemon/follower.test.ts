import { expect, onTestFinished, test } from 'vitest';
import { Follower } from '../../src/daemon/follower.ts';
import { LocalSessions } from '../../src/session/local-sessions.ts';
import type { SessionEvent } from '../../src/session/sessions.ts';
import { until } from '../until.ts';

test('who catches up hears of no screen that is gone, and then that its session was closed', async () => {
  const sessions = new LocalSessions();
  onTestFinished(() => void sessions.closeAll({ force: true }));
  const heard: SessionEvent['type'][] = [];
  let isFull = true;
  const outlet = { isFull: () => isFull, send: ({ type }: SessionEvent) => heard.push(type) };
  const follower = new Follower(sessions, outlet, {});
  // What the command leaves behind is ended before its session is closed, and that takes a while.
  await sessions.run('nohup sleep 50 >/dev/null 2>&1 & echo hi');
  expect(await sessions.list()).toEqual([]);
  expect(heard).not.toContain('closed');
  isFull = false;
  follower.catchUp();
  expect(heard).not.toContain('screen');
  await until('it is told', () => heard.includes('closed'));
});
