import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { throttle } from '../../../src/session/wait/throttle.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('looks at once, then once for all that comes too soon, and no more when stopped', async () => {
  const look = vi.fn();
  const { trigger: heard, cancel: stop } = throttle(10, look);
  heard();
  expect(look).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(4);
  heard();
  heard();
  expect(look).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(6);
  expect(look).toHaveBeenCalledTimes(2);
  heard();
  stop();
  await vi.advanceTimersByTimeAsync(100);
  expect(look).toHaveBeenCalledTimes(2);
  expect(vi.getTimerCount()).toBe(0);
});
