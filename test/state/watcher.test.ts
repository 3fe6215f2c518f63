import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Verdict } from '../../src/state/verdict.ts';
import { Watcher } from '../../src/state/watcher.ts';
import { LIKELY_HOLD_MS, whenProgramIsReady } from '../../src/state/when-ready.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const working: Verdict = {
  state: 'working',
  activity: 'computing',
  certainty: 'certain',
  because: '',
};
const certain: Verdict = {
  state: 'waiting',
  waitingFor: 'line',
  certainty: 'certain',
  because: '',
};
const likely: Verdict = { ...certain, certainty: 'likely', because: 'a prompt' };
/** As it is passed on: with the time for which it has held. */
const likelyHeld: Verdict = { ...likely, because: 'a prompt, unchanged for 100 ms' };
const guess: Verdict = { ...certain, certainty: 'guess' };
const exited: Verdict = { state: 'exited', certainty: 'certain', because: '' };

/** A watcher of a program whose verdict the test sets. */
const program = (first: Verdict | undefined) => {
  const state = { verdict: first, observations: 0, isMachineBusy: false };
  const observe = () => {
    state.observations++;
    return state.verdict;
  };
  return { state, watcher: new Watcher(observe, () => state.isMachineBusy) };
};

describe('a watcher', () => {
  test('is not put off by output in every turn of the event loop', async () => {
    vi.useRealTimers();
    const { state, watcher } = program(undefined);
    const stop = watcher.watch(() => {});
    for (let turn = 0; turn < 100; turn++) {
      // As a reader does that has more to deliver: it is called before what is scheduled meanwhile.
      await new Promise<void>((next) => setImmediate(next));
      watcher.onOutput();
    }
    stop();
    expect(state.observations).toBeGreaterThan(5);
  });

  test('does not observe while there is no listener', async () => {
    const { state, watcher } = program(working);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.observations).toBe(0);
  });

  test('observes at once, then less and less often, but at least every 10 ms', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(1);
    expect(state.observations).toBeGreaterThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(100);
    state.observations = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.observations).toBeGreaterThan(90);
    expect(state.observations).toBeLessThan(110);
    stop();
  });

  test('takes its time when all listeners are leisurely', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {}, { leisurely: true });
    await vi.advanceTimersByTimeAsync(1000);
    state.observations = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.observations).toBe(4);
    for (let event = 0; event < 100; event++) {
      watcher.onOutput();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(state.observations).toBe(6);
    const stopHurried = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(1);
    expect(state.observations).toBeGreaterThan(6);
    stopHurried();
    stop();
  });

  test('is at rest while a program certainly waits, and awake again at the next event', async () => {
    const { state, watcher } = program(certain);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    state.observations = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.observations).toBeLessThan(6);
    state.observations = 0;
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.observations).toBeGreaterThan(0);
    stop();
  });

  test('observes again at once if something changed during the observation', async () => {
    const { state, watcher } = program(undefined);
    const verdicts: Verdict[] = [];
    const stop = watcher.watch((verdict) => verdicts.push(verdict));
    await vi.advanceTimersByTimeAsync(5);
    expect(verdicts).toEqual([]);
    state.verdict = certain;
    await vi.advanceTimersByTimeAsync(5);
    expect(verdicts[0]).toEqual(certain);
    stop();
  });

  test('stops after the exit, and when the last listener is removed', async () => {
    const { state, watcher } = program(exited);
    const stopFirst = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    expect(state.observations).toBe(1);
    state.verdict = working;
    const stopSecond = watcher.watch(() => {});
    stopFirst();
    stopSecond();
    stopSecond();
    state.observations = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.observations).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('with many watchers, each observes less often', async () => {
    // An observation costs nothing in fake time. Here each one takes 0.3 ms.
    let spentMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + spentMs);
    const many = Array.from({ length: 200 }, () => {
      const state = { observations: 0 };
      const observe = () => {
        state.observations++;
        spentMs += 0.3;
        return working;
      };
      return { state, watcher: new Watcher(observe) };
    });
    const stops = many.map(({ watcher }) => watcher.watch(() => {}));
    await vi.advanceTimersByTimeAsync(500);
    for (const { state } of many) state.observations = 0;
    await vi.advanceTimersByTimeAsync(1000);
    const total = many.reduce((sum, { state }) => sum + state.observations, 0);
    for (const stop of stops) stop();
    vi.restoreAllMocks();
    // Every 10 ms each, that would be 20,000.
    expect(total).toBeLessThan(10_000);
  });
});

describe('after output', () => {
  test('one that computes is left the processor of a busy machine', async () => {
    // Time stands still, while turns of the event loop go by.
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {});
    const observationsAfterOutput = async () => {
      await vi.advanceTimersByTimeAsync(100);
      watcher.onOutput();
      state.observations = 0;
      for (let turn = 0; turn < 5; turn++) await new Promise(setImmediate);
      return state.observations;
    };
    expect(await observationsAfterOutput()).toBe(5);
    state.isMachineBusy = true;
    expect(await observationsAfterOutput()).toBe(1);
    state.verdict = { ...working, activity: 'sleeping' };
    expect(await observationsAfterOutput()).toBe(5);
    stop();
  });

  test('one that prints on and on while it computes is left alone for a while', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    const observationsInFlood = async () => {
      state.observations = 0;
      for (let ms = 0; ms < 60; ms++) {
        watcher.onOutput();
        await vi.advanceTimersByTimeAsync(1);
      }
      return state.observations;
    };
    expect(await observationsInFlood()).toBeLessThan(45);
    state.verdict = { ...working, activity: 'sleeping' };
    expect(await observationsInFlood()).toBeGreaterThanOrEqual(60);
    stop();
  });

  test('a program is observed more often for a while, since it may be about to read', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(2);
    state.observations = 0;
    await vi.advanceTimersByTimeAsync(6);
    expect(state.observations).toBeGreaterThanOrEqual(2);
    stop();
  });
});

describe('after slow observations', () => {
  /** An observation costs nothing in fake time. Here each one takes `costMs`. */
  const slowProgram = (first: Verdict) => {
    let spentMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + spentMs);
    const state = { verdict: first, observations: 0, costMs: 20 };
    const watcher = new Watcher(() => {
      state.observations++;
      spentMs += state.costMs;
      return state.verdict;
    });
    const stop = watcher.watch(() => {});
    return { state, watcher, stop };
  };
  afterEach(() => void vi.restoreAllMocks());

  test('a flood is left alone for a while', async () => {
    const { state, watcher, stop } = slowProgram(working);
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    state.observations = 0;
    for (let ms = 0; ms < 30; ms++) {
      watcher.onOutput();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(state.observations).toBe(0);
    await vi.advanceTimersByTimeAsync(40);
    expect(state.observations).toBeGreaterThan(0);
    stop();
  });

  test('a flood that has ended is observed soon', async () => {
    const { state, watcher, stop } = slowProgram(working);
    for (let count = 0; count < 2; count++) {
      await vi.advanceTimersByTimeAsync(1);
      watcher.onOutput();
    }
    state.observations = 0;
    await vi.advanceTimersByTimeAsync(6);
    expect(state.observations).toBeGreaterThan(0);
    stop();
  });

  test('one alone may have been held up by the machine, and changes nothing', async () => {
    const { state, watcher, stop } = slowProgram(working);
    await vi.advanceTimersByTimeAsync(1);
    state.observations = 0;
    state.costMs = 0;
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.observations).toBeGreaterThan(0);
    stop();
  });

  test('an exit is reported at once', async () => {
    const { state, watcher, stop } = slowProgram(working);
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    state.observations = 0;
    state.verdict = exited;
    watcher.onExit();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.observations).toBe(1);
    stop();
  });

  test('a program that changes during every observation is observed half as often', async () => {
    const { state, watcher } = program(undefined);
    const stop = watcher.watch(() => {});
    const flood = async (ms: number) => {
      for (let at = 0; at < ms; at++) {
        watcher.onOutput();
        await vi.advanceTimersByTimeAsync(1);
      }
    };
    await flood(20);
    state.observations = 0;
    await flood(100);
    expect(state.observations).toBeGreaterThan(30);
    expect(state.observations).toBeLessThan(70);
    stop();
  });

  test('there is no long rest when the output stops', async () => {
    const { state, watcher, stop } = slowProgram(working);
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    state.observations = 0;
    state.costMs = 0;
    await vi.advanceTimersByTimeAsync(20);
    expect(state.observations).toBeGreaterThan(0);
    stop();
  });
});

describe('ready', () => {
  const wait = (first: Verdict, onlyIfCertain = false) => {
    const { state, watcher } = program(first);
    const verdicts: Verdict[] = [];
    let lastEventMs = performance.now();
    const event = () => {
      lastEventMs = performance.now();
      watcher.onOutput();
    };
    whenProgramIsReady(
      watcher,
      () => lastEventMs,
      (verdict) => verdicts.push(verdict),
      onlyIfCertain,
    );
    return { state, verdicts, event };
  };

  test.each([
    ['certain', certain],
    ['guess', guess],
    ['exited', exited],
  ])('gets a verdict at once that is %s', async (_what, verdict) => {
    const { verdicts } = wait(verdict);
    await vi.advanceTimersByTimeAsync(3);
    expect(verdicts).toEqual([verdict]);
  });

  test('gets a likely verdict when it has held for a moment without output', async () => {
    const { verdicts, event } = wait(likely);
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 20);
    event();
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 20);
    expect(verdicts).toEqual([]);
    await vi.advanceTimersByTimeAsync(40);
    expect(verdicts).toEqual([likelyHeld]);
  });

  test('a moment of work in between starts that time again', async () => {
    const { state, verdicts } = wait(likely);
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 20);
    state.verdict = working;
    await vi.advanceTimersByTimeAsync(20);
    state.verdict = likely;
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 30);
    expect(verdicts).toEqual([]);
    await vi.advanceTimersByTimeAsync(60);
    expect(verdicts).toEqual([likelyHeld]);
  });

  test('if asked for certainty, gets only that the program surely waits or has exited', async () => {
    const { state, verdicts } = wait(likely, true);
    const { verdicts: exitVerdicts } = wait(exited, true);
    for (const doubtful of [likely, guess, working]) {
      state.verdict = doubtful;
      await vi.advanceTimersByTimeAsync(10 * LIKELY_HOLD_MS);
    }
    expect(verdicts).toEqual([]);
    // What it waits for is only likely; that it waits is certain.
    state.verdict = { ...likely, surelyWaits: true } as Verdict;
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS);
    expect(verdicts).toMatchObject([{ state: 'waiting', surelyWaits: true }]);
    expect(exitVerdicts).toEqual([exited]);
  });

  test('gets no verdict of work, however long it takes', async () => {
    const { verdicts } = wait(working);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(verdicts).toEqual([]);
  });
});
