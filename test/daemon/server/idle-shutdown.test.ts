import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IdleShutdown } from '../../../src/daemon/server/idle-shutdown.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A daemon that may be started again, and what it notes for the next one. */
const start = (noted: { since?: number | undefined }, isNeeded = { value: false }) => {
  const shutDown = vi.fn();
  const idle = new IdleShutdown(1000, () => isNeeded.value, shutDown);
  idle.onChange = (since) => {
    noted.since = since;
  };
  idle.continue(noted.since);
  return { idle, shutDown };
};

test('a daemon that nobody needs ends at its time, also if it was killed meanwhile', () => {
  const noted = {};
  const first = start(noted);
  vi.advanceTimersByTime(700);
  first.idle.stop();
  const second = start(noted);
  vi.advanceTimersByTime(299);
  expect(second.shutDown).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(second.shutDown).toHaveBeenCalledOnce();
  expect(first.shutDown).not.toHaveBeenCalled();
});

test('its time begins anew when it was needed, and when the clock was set back', () => {
  const noted: { since?: number } = {};
  const isNeeded = { value: true };
  const { idle, shutDown } = start(noted, isNeeded);
  expect(noted.since).toBeUndefined();
  isNeeded.value = false;
  idle.update();
  expect(noted.since).toBe(Date.now());
  isNeeded.value = true;
  idle.update();
  expect(noted.since).toBeUndefined();
  vi.advanceTimersByTime(5000);
  expect(shutDown).not.toHaveBeenCalled();
  const set = start({ since: Date.now() + 3_600_000 });
  vi.advanceTimersByTime(1000);
  expect(set.shutDown).toHaveBeenCalledOnce();
});
