import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { type ResourceChange, ResourceChanges } from '../../src/mcp/resource-changes.ts';
import type { SessionEvent, Sessions } from '../../src/session/sessions.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

type Hear = (event: SessionEvent) => void;

const event = (type: string, session = 'one') => ({ type, session }) as SessionEvent;

/** Sessions of which one is open, as every new subscriber is told: at once, or later. */
const watched = (tellMs = 0) => {
  const subscribers = new Set<Hear>();
  const subscribe = (hear: Hear, _session: unknown, types: readonly string[]) => {
    const tell = () => types.includes('opened') && hear(event('opened'));
    if (tellMs === 0) tell();
    else setTimeout(tell, tellMs);
    subscribers.add(hear);
    return () => void subscribers.delete(hear);
  };
  const list = async () => [{ session: 'one' }];
  const changes = new ResourceChanges({ subscribe, list } as unknown as Sessions);
  const happens = (type: string) => {
    for (const hear of subscribers) hear(event(type));
  };
  return { changes, subscribers, happens };
};

test.each([
  { tellMs: 0, when: 'at once' },
  { tellMs: 10, when: 'later, as by the daemon' },
])('what was there before somebody listened is no change, told $when', async ({ tellMs }) => {
  const { changes, happens } = watched(tellMs);
  const told: ResourceChange[] = [];
  changes.listenToList((change) => told.push(change));
  changes.listenToResources((change) => told.push(change));
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([]);
  for (const type of ['closed', 'opened']) {
    happens(type);
    await vi.advanceTimersByTimeAsync(1000);
    expect(told.splice(0)).toEqual([{ kind: 'list' }]);
  }
});

test('what changes before it is known what was there is told', async () => {
  const { changes, happens } = watched();
  const told: ResourceChange[] = [];
  changes.listenToList((change) => told.push(change));
  happens('closed');
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([{ kind: 'list' }]);
});

test('who stops before it is known what was there is told nothing', async () => {
  const { changes, happens } = watched();
  const told: ResourceChange[] = [];
  const stop = changes.listenToList((change) => told.push(change));
  happens('closed');
  stop();
  await vi.advanceTimersByTimeAsync(1000);
  expect(told).toEqual([]);
});

test('each change is told once in a fifth of a second, to all who listen', () => {
  const { changes, subscribers, happens } = watched();
  const told: [ResourceChange[], ResourceChange[]] = [[], []];
  for (const list of told) changes.listenToResources((change) => list.push(change));
  expect(subscribers.size).toBe(1);
  for (let count = 0; count < 3; count++) happens('output');
  vi.advanceTimersByTime(199);
  expect(told).toEqual([[], []]);
  vi.advanceTimersByTime(1);
  const uris = (changes: readonly ResourceChange[]) =>
    changes.map((change) => 'uri' in change && change.uri);
  expect(told.map(uris)).toEqual([
    ['terminal://one/screen', 'terminal://one/text'],
    ['terminal://one/screen', 'terminal://one/text'],
  ]);
});

test('nobody looks at the sessions once the last has stopped to listen', () => {
  const { changes, subscribers, happens } = watched();
  const told: ResourceChange[] = [];
  const stops = [1, 2].map(() => changes.listenToList((change) => told.push(change)));
  happens('closed');
  stops[0]!();
  expect(subscribers.size).toBe(1);
  stops[1]!();
  expect(subscribers.size).toBe(0);
  vi.advanceTimersByTime(1000);
  expect(told).toEqual([]);
});
