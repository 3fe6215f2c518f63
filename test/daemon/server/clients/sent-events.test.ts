import { expect, test } from 'vitest';
import { SentEvents } from '../../../../src/daemon/server/clients/sent-events.ts';

const outputOf = (bytes: number) => ({
  subscription: 1,
  event: { session: 'a', type: 'output', bytes: new Uint8Array(bytes), position: 0 } as const,
});

test('events are numbered, and those after a number can be sent again', () => {
  const events = new SentEvents();
  for (let at = 0; at < 3; at++) events.add(outputOf(1), 0);
  expect(events.after(1)?.map(({ number }) => number)).toEqual([2, 3]);
  expect(events.after(3)).toEqual([]);
});

test.each([[-1], [0.5], [4], [1e9], [Number.NaN]])(
  'after %d, which is no number of an event, nothing is known',
  (number) => {
    const events = new SentEvents();
    for (let at = 0; at < 3; at++) events.add(outputOf(1), 0);
    expect(events.after(number)).toBeUndefined();
  },
);

test('they are bounded, and a client that misses one that is gone is told', () => {
  const events = new SentEvents();
  for (let at = 0; at < 40; at++) events.add(outputOf(2 ** 16), 0);
  expect(events.after(0)).toBeUndefined();
  expect(events.after(30)).toHaveLength(10);
});

test('while the client is away there is more room, and in time it is said to be full', () => {
  const events = new SentEvents();
  for (let at = 0; at < 40; at++) events.add(outputOf(2 ** 16), undefined);
  expect(events.isFull).toBe(true);
  expect(events.after(0)).toHaveLength(40);
  for (let at = 0; at < 40; at++) events.add(outputOf(2 ** 16), undefined);
  expect(events.after(0)).toBeUndefined();
});

test('what waits in the connection is kept in any case', () => {
  const events = new SentEvents();
  for (let at = 0; at < 40; at++) events.add(outputOf(2 ** 16), 4 * 2 ** 20);
  expect(events.after(0)).toHaveLength(40);
});
