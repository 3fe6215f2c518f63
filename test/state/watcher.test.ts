import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Verdict } from '../../src/state/verdict.ts';
import { Watcher } from '../../src/state/watcher.ts';
import { LIKELY_HOLD_MS, whenReady } from '../../src/state/when-ready.ts';

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
/** As it is told: with the moment for which it has held. */
const held: Verdict = { ...likely, because: 'a prompt, unchanged for 100 ms' };
const guess: Verdict = { ...certain, certainty: 'guess' };
const exited: Verdict = { state: 'exited', certainty: 'certain', because: '' };

/** A watcher of a program whose verdict the test sets. */
const program = (first: Verdict | undefined) => {
  const state = { verdict: first, asked: 0 };
  const watcher = new Watcher(() => {
    state.asked++;
    return state.verdict;
  });
  return { state, watcher };
};

describe('a watcher', () => {
  test('asks nothing while nobody watches', async () => {
    const { state, watcher } = program(working);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(state.asked).toBe(0);
  });

  test('asks at once, then ever more rarely, but at least every 10 ms', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(1);
    expect(state.asked).toBeGreaterThanOrEqual(1);
    await vi.advanceTimersByTimeAsync(100);
    state.asked = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.asked).toBeGreaterThan(90);
    expect(state.asked).toBeLessThan(110);
    stop();
  });

  test('takes its time where nobody who watches is in a hurry', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {}, { leisurely: true });
    await vi.advanceTimersByTimeAsync(1000);
    state.asked = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.asked).toBe(4);
    for (let event = 0; event < 100; event++) {
      watcher.onOutput();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(state.asked).toBe(6);
    const stopHurried = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(1);
    expect(state.asked).toBeGreaterThan(6);
    stopHurried();
    stop();
  });

  test('is at rest while a program certainly waits, and awake again at the next event', async () => {
    const { state, watcher } = program(certain);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    state.asked = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.asked).toBeLessThan(6);
    state.asked = 0;
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.asked).toBeGreaterThan(0);
    stop();
  });

  test('asks again at once where things moved while it looked', async () => {
    const { state, watcher } = program(undefined);
    const seen: Verdict[] = [];
    const stop = watcher.watch((verdict) => seen.push(verdict));
    await vi.advanceTimersByTimeAsync(5);
    expect(seen).toEqual([]);
    state.verdict = certain;
    await vi.advanceTimersByTimeAsync(5);
    expect(seen[0]).toEqual(certain);
    stop();
  });

  test('asks no more after the exit, nor after the last listener has left', async () => {
    const { state, watcher } = program(exited);
    const stopFirst = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    expect(state.asked).toBe(1);
    state.verdict = working;
    const stopSecond = watcher.watch(() => {});
    stopFirst();
    stopSecond();
    stopSecond();
    state.asked = 0;
    await vi.advanceTimersByTimeAsync(1000);
    expect(state.asked).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });

  test('with many watchers, each asks more rarely', async () => {
    // A question costs nothing in fake time; here each takes 0.3 ms.
    let spentMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + spentMs);
    const many = Array.from({ length: 200 }, () => {
      const state = { asked: 0 };
      const ask = () => {
        state.asked++;
        spentMs += 0.3;
        return working;
      };
      return { state, watcher: new Watcher(ask) };
    });
    const stops = many.map(({ watcher }) => watcher.watch(() => {}));
    await vi.advanceTimersByTimeAsync(500);
    for (const { state } of many) state.asked = 0;
    await vi.advanceTimersByTimeAsync(1000);
    const asked = many.reduce((sum, { state }) => sum + state.asked, 0);
    for (const stop of stops) stop();
    vi.restoreAllMocks();
    // At 10 ms each they would have asked 20,000 times.
    expect(asked).toBeLessThan(10_000);
  });
});

describe('after a program has said something', () => {
  test('it is asked more often for a while, since it may be about to read', async () => {
    const { state, watcher } = program(working);
    const stop = watcher.watch(() => {});
    await vi.advanceTimersByTimeAsync(100);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(2);
    state.asked = 0;
    await vi.advanceTimersByTimeAsync(6);
    expect(state.asked).toBeGreaterThanOrEqual(2);
    stop();
  });
});

describe('after questions that took long', () => {
  /** A question costs nothing in fake time; here each takes as long as is said. */
  const dear = (first: Verdict) => {
    let spentMs = 0;
    const now = performance.now.bind(performance);
    vi.spyOn(performance, 'now').mockImplementation(() => now() + spentMs);
    const state = { verdict: first, asked: 0, costMs: 20 };
    const watcher = new Watcher(() => {
      state.asked++;
      spentMs += state.costMs;
      return state.verdict;
    });
    const stop = watcher.watch(() => {});
    return { state, watcher, stop };
  };
  afterEach(() => void vi.restoreAllMocks());

  test('a flood is left alone for a while', async () => {
    const { state, watcher, stop } = dear(working);
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    state.asked = 0;
    for (let ms = 0; ms < 30; ms++) {
      watcher.onOutput();
      await vi.advanceTimersByTimeAsync(1);
    }
    expect(state.asked).toBe(0);
    await vi.advanceTimersByTimeAsync(40);
    expect(state.asked).toBeGreaterThan(0);
    stop();
  });

  test('a flood that has ended is looked at soon', async () => {
    const { state, watcher, stop } = dear(working);
    for (let dearOnes = 0; dearOnes < 2; dearOnes++) {
      await vi.advanceTimersByTimeAsync(1);
      watcher.onOutput();
    }
    state.asked = 0;
    await vi.advanceTimersByTimeAsync(6);
    expect(state.asked).toBeGreaterThan(0);
    stop();
  });

  test('one alone may have been held up by the machine, and changes nothing', async () => {
    const { state, watcher, stop } = dear(working);
    await vi.advanceTimersByTimeAsync(1);
    state.asked = 0;
    state.costMs = 0;
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.asked).toBeGreaterThan(0);
    stop();
  });

  test('an exit is told at once', async () => {
    const { state, watcher, stop } = dear(working);
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    state.asked = 0;
    state.verdict = exited;
    watcher.onExit();
    await vi.advanceTimersByTimeAsync(1);
    expect(state.asked).toBe(1);
    stop();
  });

  test('a program that moves whenever it is looked at is looked at half as often', async () => {
    const { state, watcher } = program(undefined);
    const stop = watcher.watch(() => {});
    const flood = async (ms: number) => {
      for (let at = 0; at < ms; at++) {
        watcher.onOutput();
        await vi.advanceTimersByTimeAsync(1);
      }
    };
    await flood(20);
    state.asked = 0;
    await flood(100);
    expect(state.asked).toBeGreaterThan(30);
    expect(state.asked).toBeLessThan(70);
    stop();
  });

  test('there is no long rest where nothing more comes', async () => {
    const { state, watcher, stop } = dear(working);
    await vi.advanceTimersByTimeAsync(1);
    watcher.onOutput();
    await vi.advanceTimersByTimeAsync(1);
    state.asked = 0;
    state.costMs = 0;
    await vi.advanceTimersByTimeAsync(20);
    expect(state.asked).toBeGreaterThan(0);
    stop();
  });
});

describe('ready', () => {
  const wait = (first: Verdict, onlyIfCertain = false) => {
    const { state, watcher } = program(first);
    const told: Verdict[] = [];
    let lastEventMs = performance.now();
    const event = () => {
      lastEventMs = performance.now();
      watcher.onOutput();
    };
    whenReady(
      watcher,
      () => lastEventMs,
      (verdict) => told.push(verdict),
      onlyIfCertain,
    );
    return { state, told, event };
  };

  test.each([
    ['certain', certain],
    ['guess', guess],
    ['exited', exited],
  ])('is told at once of a verdict that is %s', async (_what, verdict) => {
    const { told } = wait(verdict);
    await vi.advanceTimersByTimeAsync(3);
    expect(told).toEqual([verdict]);
  });

  test('is told of a likely verdict when it has held for a moment without output', async () => {
    const { told, event } = wait(likely);
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 20);
    event();
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 20);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(40);
    expect(told).toEqual([held]);
  });

  test('a moment of work in between starts the moment anew', async () => {
    const { state, told } = wait(likely);
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 20);
    state.verdict = working;
    await vi.advanceTimersByTimeAsync(20);
    state.verdict = likely;
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS - 30);
    expect(told).toEqual([]);
    await vi.advanceTimersByTimeAsync(60);
    expect(told).toEqual([held]);
  });

  test('who wants to be certain is told only that the program surely waits, or has exited', async () => {
    const { state, told } = wait(likely, true);
    const { told: toldOfExit } = wait(exited, true);
    for (const doubtful of [likely, guess, working]) {
      state.verdict = doubtful;
      await vi.advanceTimersByTimeAsync(10 * LIKELY_HOLD_MS);
    }
    expect(told).toEqual([]);
    // For what it waits is only likely, not that it does.
    state.verdict = { ...likely, surelyWaits: true } as Verdict;
    await vi.advanceTimersByTimeAsync(LIKELY_HOLD_MS);
    expect(told).toMatchObject([{ state: 'waiting', surelyWaits: true }]);
    expect(toldOfExit).toEqual([exited]);
  });

  test('is not told of work, however long it takes', async () => {
    const { told } = wait(working);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(told).toEqual([]);
  });
});
