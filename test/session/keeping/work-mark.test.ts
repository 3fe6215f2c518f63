import { expect, onTestFinished, test } from 'vitest';
import { SessionStore } from '../../../src/keeper/session-store.ts';
import { WorkMark } from '../../../src/session/keeping/work-mark.ts';

const newStore = (): SessionStore => {
  const store = SessionStore.create();
  onTestFinished(() => store.close());
  return store;
};

/** What the next process finds after this one was killed. */
const nextProcess = (store: SessionStore): WorkMark => {
  const mark = new WorkMark(store);
  mark.countDeath();
  return mark;
};

const restored = (store: SessionStore): WorkMark => {
  const mark = nextProcess(store);
  mark.beginRestoring();
  mark.rest();
  return mark;
};

test('deaths in a row with the same session at work are counted, up to the third', () => {
  const store = newStore();
  nextProcess(store).beginRestoring();
  restored(store).beginDelivery();
  expect(nextProcess(store)).toMatchObject({ deaths: 2, problem: undefined });
  restored(store).beginDelivery();
  expect(nextProcess(store).problem).toContain('3 times in a row');
  // Nobody touches it any more, and that does not make it harmless.
  expect(nextProcess(store).problem).toContain('3 times in a row');
});

test('a death while the session was at rest begins the count anew', () => {
  const store = newStore();
  for (let deaths = 0; deaths < 2; deaths++) restored(store).beginDelivery();
  const mark = restored(store);
  mark.beginDelivery();
  mark.endDelivery();
  expect(nextProcess(store).deaths).toBe(0);
});

test('a death before the session was touched changes nothing', () => {
  const store = newStore();
  restored(store).beginDelivery();
  for (let deaths = 0; deaths < 5; deaths++) expect(nextProcess(store).deaths).toBe(1);
});

test('a session that has delivered much output is not suspected', () => {
  const store = newStore();
  for (let deaths = 0; deaths < 5; deaths++) {
    const mark = restored(store);
    for (let delivered = 0; delivered < 100; delivered++) {
      mark.beginDelivery();
      mark.endDelivery();
    }
    mark.beginDelivery();
  }
  expect(nextProcess(store).deaths).toBe(0);
});
