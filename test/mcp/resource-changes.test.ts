import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ResourceChange, ResourceChanges } from '../../src/mcp/resource-changes.ts';
import type { SessionEvent, Sessions } from '../../src/session/sessions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type EventListener = (event: SessionEvent) => void;

const event = (type: string, session = 'one') => ({ type, session }) as SessionEvent;

/** One session is open. A new subscriber gets its `opened` event at once, or after a delay. */
const watchSessions = (delayMs = 0) => {
  const subscribers = new Set<EventListener>();
  const subscribe = (onEvent: EventListener, _session: unknown, types: readonly string[]) => {
    const sendOpened = () => types.includes('opened') && onEvent(event('opened'));
    if (delayMs === 0) sendOpened();
    else setTimeout(sendOpened, delayMs);
    subscribers.add(onEvent);
    return () => void subscribers.delete(onEvent);
  };
  const list = async () => [{ session: 'one' }];
  const changes = new ResourceChanges({ subscribe, list } as unknown as Sessions);
  const emit = (type: string) => {
    for (const onEvent of subscribers) onEvent(event(type));
  };
  return { changes, subscribers, emit };
};

test.each([
  { delayMs: 0, when: 'at once' },
  { delayMs: 10, when: 'later, as from the daemon' },
])('a session that already exists is no change if reported $when', async ({ delayMs }) => {
  const { changes, emit } = watchSessions(delayMs);
  const received: ResourceChange[] = [];
  changes.listenToList((change) => received.push(change));
  changes.listenToResources((change) => received.push(change));
  await vi.advanceTimersByTimeAsync(1000);
  expect(received).toEqual([]);
  for (const type of ['closed', 'opened']) {
    emit(type);
    await vi.advanceTimersByTimeAsync(1000);
    expect(received.splice(0)).toEqual([{ kind: 'list' }]);
  }
});

test('a change before the existing sessions are known is reported', async () => {
  const { changes, emit } = watchSessions();
  const received: ResourceChange[] = [];
  changes.listenToList((change) => received.push(change));
  emit('closed');
  await vi.advanceTimersByTimeAsync(1000);
  expect(received).toEqual([{ kind: 'list' }]);
});

test('a listener that stops before the existing sessions are known gets nothing', async () => {
  const { changes, emit } = watchSessions();
  const received: ResourceChange[] = [];
  const stop = changes.listenToList((change) => received.push(change));
  emit('closed');
  stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(received).toEqual([]);
});

test('each change is reported once in 200 ms, to all listeners', () => {
  const { changes, subscribers, emit } = watchSessions();
  const received: [ResourceChange[], ResourceChange[]] = [[], []];
  for (const list of received) changes.listenToResources((change) => list.push(change));
  expect(subscribers.size).toBe(1);
  for (let count = 0; count < 3; count++) emit('output');
  vi.advanceTimersByTime(199);
  expect(received).toEqual([[], []]);
  vi.advanceTimersByTime(1);
  const uris = (changes: readonly ResourceChange[]) =>
    changes.map((change) => 'uri' in change && change.uri);
  expect(received.map(uris)).toEqual([
    ['terminal://one/screen', 'terminal://one/text'],
    ['terminal://one/screen', 'terminal://one/text'],
  ]);
});

test('the subscription ends with the last listener', () => {
  const { changes, subscribers, emit } = watchSessions();
  const received: ResourceChange[] = [];
  const stops = [1, 2].map(() => changes.listenToList((change) => received.push(change)));
  emit('closed');
  stops[0]!();
  expect(subscribers.size).toBe(1);
  stops[1]!();
  expect(subscribers.size).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(received).toEqual([]);
});
