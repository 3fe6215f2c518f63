import { expect, onTestFinished, test } from 'vitest';
import { DaemonMemory } from '../../../src/daemon/server/keeping/daemon-memory.ts';
import { SessionStore } from '../../../src/keeper/session-store.ts';
import { duplicateDescriptor } from '../../../src/system/descriptors.ts';

const noTrouble = (message: string) => {
  throw new Error(message);
};

const newMemory = () => {
  const store = SessionStore.create();
  onTestFinished(() => store.close());
  const memory = new DaemonMemory(store, noTrouble);
  /** As the next process finds it. */
  const reopened = () => {
    const copy = SessionStore.open(duplicateDescriptor(store.fd));
    onTestFinished(() => copy.close());
    return new DaemonMemory(copy, noTrouble, copy.contents());
  };
  return { store, memory, reopened };
};

test('what was set is there for the next process, and what was removed is not', () => {
  const { memory, reopened } = newMemory();
  memory.set('answer', { result: { output: 'said', bytes: Buffer.from([1, 2]) } });
  memory.set('gone', true);
  memory.set('gone', undefined);
  memory.set('never there', undefined);
  expect([...reopened().entries]).toEqual([...memory.entries]);
  const next = reopened();
  next.set('more', null);
  expect([...reopened().keys()]).toEqual(['answer', 'more']);
});

test('it holds more than its log takes', () => {
  const { memory, reopened } = newMemory();
  const text = 'x'.repeat(10_000);
  for (let round = 0; round < 200; round++) memory.set(`answer ${round % 150}`, `${round} ${text}`);
  const found = reopened();
  expect([...found.keys()]).toHaveLength(150);
  expect([found.get('answer 49'), found.get('answer 50')]).toEqual([`199 ${text}`, `50 ${text}`]);
  memory.set('large', 'y'.repeat(1_000_000));
  expect(reopened().get('large')).toHaveLength(1_000_000);
});

test('a memory of which nothing can be made is no hindrance: it says why', () => {
  const { store } = newMemory();
  const contents = { body: Buffer.from('no map'), records: [], missing: 0 };
  expect(() => new DaemonMemory(store, noTrouble, contents)).toThrow('deserialize');
});
