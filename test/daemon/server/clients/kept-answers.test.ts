import { expect, test } from 'vitest';
import {
  type CarryOut,
  KeptAnswers,
  type KeptAnswersOptions,
} from '../../../../src/daemon/server/clients/kept-answers.ts';
import { SessionNotFound } from '../../../../src/errors.ts';

const keptAnswers = (options: Partial<KeptAnswersOptions> = {}) =>
  new KeptAnswers({ firstId: 1, screenOf: async (session) => `screen of ${session}`, ...options });

const typeA = { method: 'type', params: { session: 'a', bytes: new Uint8Array([97]) } } as const;
const readA = { method: 'read', params: { session: 'a', options: {} } } as const;

/** Carries out and counts. */
const counting = (result: unknown = null) => {
  const counted = { times: 0, carryOut: (async () => {}) as CarryOut };
  counted.carryOut = async () => {
    counted.times++;
    return result;
  };
  return counted;
};

/** Waits until the signal ends it, as a wait for a program does. */
const waiting: CarryOut = ({ signal }) =>
  new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason));
  });

test('the same id gets the same answer again, and is carried out once', async () => {
  const answers = keptAnswers();
  const { carryOut } = counting({ output: 'x' });
  const first = await answers.answer({ id: 1, ...readA }, carryOut);
  expect(await answers.answer({ id: 1, ...readA }, carryOut)).toBe(first);
  const effect = counting();
  await answers.answer({ id: 2, ...typeA }, effect.carryOut);
  await answers.answer({ id: 2, ...typeA }, effect.carryOut);
  expect(effect.times).toBe(1);
});

test('one that is still running is joined', async () => {
  const answers = keptAnswers();
  let finish = (_result: string) => {};
  const result = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const first = answers.answer({ id: 1, ...typeA }, () => result);
  const again = answers.answer({ id: 1, ...typeA }, () => expect.unreachable());
  finish('done');
  expect(await Promise.all([first, again])).toEqual(['done', 'done']);
});

test('an error is an answer too', async () => {
  const answers = keptAnswers();
  const fail = async () => {
    throw new SessionNotFound('a', []);
  };
  for (let at = 0; at < 2; at++)
    await expect(answers.answer({ id: 1, ...typeA }, fail)).rejects.toBeInstanceOf(SessionNotFound);
});

test.each([
  ['other parameters', { ...typeA, params: { session: 'b', bytes: new Uint8Array([97]) } }],
  ['other bytes', { ...typeA, params: { session: 'a', bytes: new Uint8Array([98]) } }],
  ['another method', { method: 'take', params: typeA.params } as const],
])('an id with %s than before is refused, and nothing is done', async (_what, other) => {
  const answers = keptAnswers();
  await answers.answer({ id: 1, ...typeA }, counting().carryOut);
  const counted = counting();
  await expect(answers.answer({ id: 1, ...other }, counted.carryOut)).rejects.toMatchObject({
    code: 'REQUEST_ID_REUSED',
    details: { request: 1, before: 'type' },
  });
  expect(counted.times).toBe(0);
});

test.each([['a string'], [1.5], [Number.NaN], [2 ** 60]])('%s is no id', async (id) => {
  await expect(keptAnswers().answer({ id, ...typeA }, counting().carryOut)).rejects.toMatchObject({
    rpcCode: -32600,
  });
});

test('an answer that the client has is forgotten, and an id from before is gone', async () => {
  const answers = keptAnswers();
  const effect = counting('x'.repeat(1000));
  await answers.answer({ id: 5, ...typeA }, effect.carryOut);
  expect(answers.bytes).toBeGreaterThanOrEqual(1000);
  await answers.answer({ id: 6, oldest: 6, ...typeA }, counting().carryOut);
  expect(answers.bytes).toBeLessThan(200);
  await expect(answers.answer({ id: 5, ...typeA }, effect.carryOut)).rejects.toMatchObject({
    code: 'ANSWER_GONE',
    details: { request: 5 },
  });
  expect(effect.times).toBe(1);
});

test('requests may arrive in another order than they were made', async () => {
  const answers = keptAnswers();
  expect(await answers.answer({ id: 9, oldest: 7, ...typeA }, counting(9).carryOut)).toBe(9);
  expect(await answers.answer({ id: 7, oldest: 7, ...typeA }, counting(7).carryOut)).toBe(7);
  expect(await answers.answer({ id: 9, oldest: 7, ...typeA }, counting(0).carryOut)).toBe(9);
});

test('what a client knows from an earlier process is gone', async () => {
  const answers = keptAnswers({ firstId: 100 });
  await expect(answers.answer({ id: 99, ...typeA }, counting().carryOut)).rejects.toMatchObject({
    code: 'ANSWER_GONE',
  });
});

test('answers are bounded by bytes, the oldest goes first, and none is carried out again', async () => {
  const answers = keptAnswers({ maxBytes: 2600 });
  const effects = [1, 2, 3].map((id) => ({ id, ...counting('x'.repeat(1000)) }));
  for (const { id, carryOut } of effects) await answers.answer({ id, ...typeA }, carryOut);
  expect(answers.bytes).toBeLessThanOrEqual(2600);
  const again = (id: number) => answers.answer({ id, ...typeA }, counting('again').carryOut);
  await expect(again(1)).rejects.toMatchObject({ code: 'ANSWER_GONE' });
  expect(await again(2)).toHaveLength(1000);
  expect(await again(3)).toHaveLength(1000);
});

test('answers are bounded by age', async () => {
  const answers = keptAnswers({ keptMs: -1 });
  await answers.answer({ id: 1, ...typeA }, counting().carryOut);
  await expect(answers.answer({ id: 1, ...typeA }, counting().carryOut)).rejects.toMatchObject({
    code: 'ANSWER_GONE',
  });
});

test('the notes of a client that never says what it has are bounded too', async () => {
  const answers = keptAnswers();
  for (let id = 1; id <= 5000; id++) await answers.answer({ id, ...typeA }, counting().carryOut);
  const again = (id: number) => answers.answer({ id, ...typeA }, counting('again').carryOut);
  await expect(again(1)).rejects.toMatchObject({ code: 'ANSWER_GONE' });
  expect(await again(5000)).toBeNull();
});

test('an effect that was cut off is told as unknown, with the screen; a read is repeated', async () => {
  const answers = keptAnswers();
  const cutOff = [
    answers.answer({ id: 1, ...typeA }, waiting),
    answers.answer({ id: 2, ...readA }, waiting),
    answers.answer({ id: 3, method: 'open', params: {} }, (begun) => {
      begun.onNamed('new');
      return waiting(begun);
    }),
  ];
  expect(answers.unfinished).toMatchObject([
    { id: 1, method: 'type', session: 'a' },
    { id: 3, method: 'open', session: 'new' },
  ]);
  answers.cutOff();
  for (const { status } of await Promise.allSettled(cutOff)) expect(status).toBe('rejected');
  const { carryOut } = counting('read');
  await expect(answers.answer({ id: 1, ...typeA }, carryOut)).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    message: expect.stringContaining('screen of a'),
    details: { call: 'type', session: 'a', screen: 'screen of a' },
  });
  expect(await answers.answer({ id: 2, ...readA }, carryOut)).toBe('read');
  const open = answers.answer({ id: 3, method: 'open', params: {} }, carryOut);
  await expect(open).rejects.toMatchObject({ details: { call: 'open', session: 'new' } });
});

test('a read that was cut off is repeated once, however often it was asked for meanwhile', async () => {
  const answers = keptAnswers();
  let end = () => {};
  const slow: CarryOut = ({ signal }) =>
    new Promise((_, reject) => {
      end = () => reject(signal.reason);
    });
  const first = answers.answer({ id: 1, ...readA }, slow).catch(() => 'cut off');
  answers.cutOff();
  const counted = counting('read');
  // The second comes on another connection: the first was lost while the read was still ending.
  const again = [1, 2].map(() => answers.answer({ id: 1, ...readA }, counted.carryOut));
  end();
  expect(await Promise.all([first, ...again])).toEqual(['cut off', 'read', 'read']);
  expect(counted.times).toBe(1);
});

test('an effect that cannot be cut off is answered when it is done', async () => {
  const answers = keptAnswers();
  let finish = (_result: string) => {};
  const result = new Promise<string>((resolve) => {
    finish = resolve;
  });
  const first = answers.answer({ id: 1, method: 'closeAll', params: {} }, () => result);
  answers.cutOff();
  const again = answers.answer({ id: 1, method: 'closeAll', params: {} }, waiting);
  finish('closed');
  expect(await Promise.all([first, again])).toEqual(['closed', 'closed']);
});

test('what another process began and did not finish is told as unknown, never repeated', async () => {
  const before = keptAnswers();
  void before.answer({ id: 7, ...typeA }, waiting).catch(() => {});
  const { unfinished } = before;
  const after = keptAnswers({ firstId: 8, left: JSON.parse(JSON.stringify(unfinished)) });
  const counted = counting();
  await expect(after.answer({ id: 7, ...typeA }, counted.carryOut)).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
  });
  expect(counted.times).toBe(0);
  expect(after.unfinished).toEqual(unfinished);
});

test('a client that is back no longer waits for what it does not name', async () => {
  const answers = keptAnswers();
  const given = answers.answer({ id: 1, ...readA }, waiting);
  const kept = answers.answer({ id: 2, ...readA }, waiting);
  answers.keepOnly([2]);
  await expect(given).rejects.toThrow('the caller gave up');
  answers.cancel(2);
  await expect(kept).rejects.toThrow('the caller gave up');
});

test('a client cannot have more calls running by coming back again and again', async () => {
  const answers = keptAnswers();
  const running = Array.from({ length: 256 }, (_, at) =>
    answers.answer({ id: at + 1, ...readA }, waiting).catch(() => {}),
  );
  await expect(answers.answer({ id: 300, ...readA }, waiting)).rejects.toMatchObject({
    code: 'TOO_MANY_REQUESTS',
  });
  answers.cutOff();
  await Promise.all(running);
  expect(await answers.answer({ id: 300, ...readA }, counting(1).carryOut)).toBe(1);
});

test('a call that takes long is not given up for the many that come after it', async () => {
  const answers = keptAnswers();
  let finish = (_result: string) => {};
  const long = answers.answer({ id: 1, ...typeA }, ({ signal }) => {
    signal.addEventListener('abort', () => expect.unreachable());
    return new Promise<string>((resolve) => {
      finish = resolve;
    });
  });
  const { carryOut } = counting();
  for (let id = 2; id < 5000; id++) await answers.answer({ id, oldest: 1, ...readA }, carryOut);
  await expect(answers.answer({ id: 2, ...readA }, carryOut)).rejects.toMatchObject({
    code: 'ANSWER_GONE',
  });
  finish('done');
  expect(await long).toBe('done');
});

test('the outcome of a request is looked for in the session as it is called by then', async () => {
  const answers = keptAnswers();
  const begun = answers.answer({ id: 1, ...typeA }, waiting);
  answers.cutOff();
  await expect(begun).rejects.toThrow('the client has gone');
  answers.onSessionRenamed('a', 'b');
  await expect(answers.answer({ id: 1, ...typeA }, waiting)).rejects.toMatchObject({
    code: 'OUTCOME_UNKNOWN',
    details: { session: 'b', screen: 'screen of b' },
  });
});
