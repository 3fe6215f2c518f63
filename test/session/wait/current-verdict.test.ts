import { expect, test } from 'vitest';
import type { Session } from '../../../src/session/session.ts';
import { currentVerdict } from '../../../src/session/wait/current-verdict.ts';
import type { Verdict } from '../../../src/state/verdict.ts';
import { Watcher } from '../../../src/state/watcher.ts';

const waiting: Verdict = {
  state: 'waiting',
  waitingFor: 'line',
  certainty: 'certain',
  because: '',
};

const verdictWith = (observe: () => Verdict | undefined) =>
  currentVerdict({ watcher: new Watcher(observe) } as Session);

/** As on a machine that gives us no time. */
const block = (ms: number) => {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
};

test('a verdict that comes late on a busy machine is still the verdict', async () => {
  let looks = 0;
  const observe = () => {
    block(60);
    return ++looks < 3 ? undefined : waiting;
  };
  expect(await verdictWith(observe)).toBe(waiting);
});

test('what changes during every look is working', async () => {
  expect(await verdictWith(() => undefined)).toMatchObject({
    state: 'working',
    certainty: 'likely',
  });
});
