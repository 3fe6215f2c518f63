import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../../src/session/wait/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('calls at once, then once for all triggers within the pause, and not after cancel', async () => {
  const act = vi.fn();
  const { trigger, cancel } = throttle(10, act);
  trigger();
  expect(act).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(4);
  trigger();
  trigger();
  expect(act).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(6);
  expect(act).toHaveBeenCalledTimes(2);
  trigger();
  cancel();
  await vi.advanceTimersByTimeAsync(100);
  expect(act).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});
