import { expect, onTestFinished, test } from 'vitest';
import { SubscriberQueue } from '../../../src/daemon/server/subscriber-queue.ts';
import { LocalSessions } from '../../../src/session/local-sessions.ts';
import type { SessionEvent, Sessions } from '../../../src/session/sessions.ts';
import { until } from '../../helpers/until.ts';

test('who catches up hears of no screen that is gone, and then that its session was closed', async () => {
  const sessions = new LocalSessions();
  onTestFinished(() => void sessions.closeAll({ force: true }));
  const heard: SessionEvent['type'][] = [];
  let isFull = true;
  const outlet = { isFull: () => isFull, send: ({ type }: SessionEvent) => heard.push(type) };
  const follower = new SubscriberQueue(sessions, outlet, {});
  // What the command leaves behind is ended before its session is closed, and that takes a while.
  await sessions.run('nohup sleep 50 >/dev/null 2>&1 & echo hi');
  expect(await sessions.list()).toEqual([]);
  expect(heard).not.toContain('closed');
  isFull = false;
  follower.catchUp();
  expect(heard).not.toContain('screen');
  await until('it is told', () => heard.includes('closed'));
});

test('who was behind gets the screen and the latest state of what is still open, and only that', () => {
  let hear: (event: SessionEvent) => void = () => {};
  const happens = (session: string, type: string, more = {}) =>
    hear({ session, type, ...more } as SessionEvent);
  const subscribe = (listener: typeof hear, only?: string) => {
    if (only === undefined) hear = listener;
    else listener({ session: only, type: 'screen' } as SessionEvent);
    return () => {};
  };
  const sent: string[] = [];
  let isFull = true;
  const send = ({ session, type, ...more }: SessionEvent) =>
    void sent.push([session, type, ...Object.values(more)].join(' '));
  const outlet = { isFull: () => isFull, send };
  const follower = new SubscriberQueue({ subscribe } as unknown as Sessions, outlet, {});
  happens('open', 'output');
  happens('open', 'state', { situation: 'first' });
  happens('open', 'state', { situation: 'latest' });
  happens('open', 'output');
  happens('gone', 'output');
  happens('gone', 'closed');
  expect(sent).toEqual(['gone closed']);
  isFull = false;
  follower.catchUp();
  expect(sent.slice(1)).toEqual(['open screen', 'open state latest']);
  happens('open', 'output');
  expect(sent.slice(3)).toEqual(['open output']);
});
