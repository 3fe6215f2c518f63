import { expect, test } from 'vitest';
import type { RequestNote } from '../../../src/daemon/server/clients/kept-request.ts';
import { DaemonMemory } from '../../../src/daemon/server/keeping/daemon-memory.ts';
import { RequestLedger, readNote } from '../../../src/daemon/server/keeping/request-ledger.ts';
import { SessionStore } from '../../../src/keeper/session-store.ts';

const CLIENT = 'a-client-with-an-id';
const run: RequestNote = { id: 7, method: 'run', fingerprint: 'x' };

/** A ledger whose session is open no more, but is not released yet. */
const newLedger = () => {
  const ledger = new RequestLedger({ keptAs: () => undefined });
  ledger.memory = new DaemonMemory(SessionStore.create(), () => {});
  return { ledger, memory: ledger.memory, client: ledger.of(CLIENT) };
};

test('what was begun with a session that is closed is noted until its client has the answer', () => {
  const { ledger, memory, client } = newLedger();
  const noted = () => [...memory.entries.values()].map(readNote);
  client.begin(run);
  const notes = client.noteFor(run);
  ledger.keepNotes(notes);
  expect(noted()).toEqual([run]);
  client.answer(run, { result: 'done' });
  ledger.keepNotes(notes);
  expect(noted()).toEqual([{ ...run, answer: { result: 'done' } }]);
  client.forget(run.id);
  // The session is released after that.
  ledger.keepNotes(notes);
  expect([...memory.entries]).toEqual([]);
});

test('nothing is noted any more of a client that does not come back', () => {
  const { ledger, memory, client } = newLedger();
  client.begin(run);
  client.answer(run, { result: 'done' });
  ledger.of('another-client-with-an-id').begin({ ...run, method: 'closeAll' });
  expect([...memory.keys()]).toHaveLength(2);
  ledger.forgetClient(CLIENT);
  const others = () => [...memory.keys()].filter((key) => key.startsWith('request'));
  expect(others()).toEqual(['request another-client-with-an-id 7']);
  const next = new RequestLedger({ keptAs: () => undefined });
  next.memory = memory;
  next.takeOver(memory.entries);
  next.forgetLeft();
  expect(others()).toEqual([]);
  expect(next.takeLeft('another-client-with-an-id')).toEqual([]);
  // What they had asked before must not be done again.
  expect(
    [CLIENT, 'another-client-with-an-id', 'a-new-client'].map((id) => next.isForgotten(id)),
  ).toEqual([true, true, false]);
});

test('a request that was noted in two places, as begun and as answered, is answered', () => {
  const { ledger } = newLedger();
  const answered = { ...run, answer: { result: 'done' } };
  const key = `request ${CLIENT} 7`;
  ledger.takeOver(new Map([[key, answered]]));
  ledger.takeOver(new Map([[key, run]]));
  expect(ledger.takeLeft(CLIENT).at(-1)).toEqual(answered);
});
