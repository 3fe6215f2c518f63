import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type Change, Changes } from '../../src/mcp/changes.ts';
import type { SessionEvent, Sessions } from '../../src/session/sessions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Hear = (event: SessionEvent) => void;

const event = (type: string, session = 'one') => ({ type, session }) as SessionEvent;

/** Sessions of which one is open, as every new subscriber is told. */
const watched = () => {
  const subscribers = new Set<Hear>();
  const subscribe = (hear: Hear) => {
    hear(event('opened'));
    hear(event('output'));
    subscribers.add(hear);
    return () => void subscribers.delete(hear);
  };
  const changes = new Changes({ subscribe } as unknown as Sessions);
  const happens = (type: string) => {
    for (const hear of subscribers) hear(event(type));
  };
  return { changes, subscribers, happens };
};

test('what was there before somebody listened is no change', () => {
  const { changes } = watched();
  const told: Change[] = [];
  changes.listenToList((change) => told.push(change));
  changes.listenToResources((change) => told.push(change));
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([]);
});

test('each change is told once in a fifth of a second, to all who listen', () => {
  const { changes, subscribers, happens } = watched();
  const told: [Change[], Change[]] = [[], []];
  for (const list of told) changes.listenToResources((change) => list.push(change));
  expect(subscribers.size).toBe(1);
  for (let count = 0; count < 3; count++) happens('output');
  vi.advanceTimersByTime(199);
  expect(told).toEqual([[], []]);
  vi.advanceTimersByTime(1);
  const uris = (changes: readonly Change[]) =>
    changes.map((change) => 'uri' in change && change.uri);
  expect(told.map(uris)).toEqual([
    ['terminal://one/screen', 'terminal://one/text'],
    ['terminal://one/screen', 'terminal://one/text'],
  ]);
});

test('nobody looks at the sessions once the last has stopped to listen', () => {
  const { changes, subscribers, happens } = watched();
  const told: Change[] = [];
  const stops = [1, 2].map(() => changes.listenToList((change) => told.push(change)));
  happens('closed');
  stops[0]!();
  expect(subscribers.size).toBe(1);
  stops[1]!();
  expect(subscribers.size).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([]);
});
