import { expect, onTestFinished, test } from 'vitest';
import { SubscriberQueue } from '../../../../src/daemon/server/clients/subscriber-queue.ts';
import { LocalSessions } from '../../../../src/session/local-sessions.ts';
import type { SessionEvent, Sessions } from '../../../../src/session/sessions.ts';
import { until } from '../../../helpers/until.ts';

test('a subscriber that catches up gets no screen of a session that is gone, but its closed event', async () => {
  const sessions = new LocalSessions();
  onTestFinished(() => void sessions.closeAll({ force: true }));
  const sent: SessionEvent['type'][] = [];
  let isFull = true;
  const sink = { isFull: () => isFull, send: ({ type }: SessionEvent) => sent.push(type) };
  const queue = new SubscriberQueue(sessions, sink, {});
  // The background process is ended before the session is closed, which takes a while.
  await sessions.run('nohup sleep 50 >/dev/null 2>&1 & echo hi');
  expect(await sessions.list()).toEqual([]);
  expect(sent).not.toContain('closed');
  isFull = false;
  queue.catchUp();
  expect(sent).not.toContain('screen');
  await until('closed is sent', () => sent.includes('closed'));
});

test('a subscriber that was behind gets just the screen and the latest state of open sessions', () => {
  let notify: (event: SessionEvent) => void = () => {};
  const emit = (session: string, type: string, more = {}) =>
    notify({ session, type, ...more } as SessionEvent);
  const subscribe = (listener: typeof notify, only?: string) => {
    if (only === undefined) notify = listener;
    else listener({ session: only, type: 'screen' } as SessionEvent);
    return () => {};
  };
  const sent: string[] = [];
  let isFull = true;
  const send = ({ session, type, ...more }: SessionEvent) =>
    void sent.push([session, type, ...Object.values(more)].join(' '));
  const sink = { isFull: () => isFull, send };
  const queue = new SubscriberQueue({ subscribe } as unknown as Sessions, sink, {});
  emit('open', 'output');
  emit('open', 'state', { situation: 'first' });
  emit('open', 'state', { situation: 'latest' });
  emit('open', 'output');
  emit('gone', 'output');
  emit('gone', 'closed');
  expect(sent).toEqual(['gone closed']);
  isFull = false;
  queue.catchUp();
  expect(sent.slice(1)).toEqual(['open screen', 'open state latest']);
  emit('open', 'output');
  expect(sent.slice(3)).toEqual(['open output']);
});

test('a subscriber that was behind when a session was renamed gets the screen under the new name', async () => {
  await using sessions = new LocalSessions();
  await sessions.open({ command: ['cat'], name: 'old' });
  const sent: string[] = [];
  let isFull = false;
  const send = ({ session, type }: SessionEvent) => void sent.push(`${session} ${type}`);
  const filter = { session: 'old', types: ['screen', 'output'] as const };
  const queue = new SubscriberQueue(sessions, { isFull: () => isFull, send }, filter);
  isFull = true;
  await sessions.send('old', { text: 'x' });
  await sessions.rename('old', 'new');
  await sessions.send('new', { text: 'y' });
  isFull = false;
  queue.catchUp();
  queue.end();
  expect(sent).toEqual(['old screen', 'old renamed', 'new screen']);
});
