import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FloodPacing } from '../../../src/session/output/flood-pacing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KB = 1024;

/** A program that floods, and the calls of its channel. */
const flooding = () => {
  const calls: string[] = [];
  const channel = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const pacing = new FloodPacing();
  const print = (bytes: number, workMs = 0) => pacing.onOutput(bytes, workMs, channel as never);
  return { calls, print };
};

test('little output does not pause, however often it comes', () => {
  const { calls, print } = flooding();
  for (let count = 0; count < 100; count++) {
    print(10 * KB);
    vi.advanceTimersByTime(60);
  }
  expect(calls).toEqual([]);
});

test('a few bytes that are much work are a flood', () => {
  const { calls, print } = flooding();
  print(4, 1.5);
  expect(calls).toEqual([]);
  print(4, 1.5);
  expect(calls).toEqual(['pause']);
  vi.advanceTimersByTime(4);
  expect(calls).toEqual(['pause', 'resume']);
});

test('a flood pauses until its turn, and then again', () => {
  const { calls, print } = flooding();
  print(15 * KB);
  expect(calls).toEqual([]);
  print(KB);
  expect(calls).toEqual(['pause']);
  // Output that was on its way when it paused.
  print(64 * KB);
  expect(calls).toEqual(['pause']);
  vi.advanceTimersByTime(3);
  expect(calls).toEqual(['pause']);
  vi.advanceTimersByTime(1);
  expect(calls).toEqual(['pause', 'resume']);
  print(15 * KB);
  expect(calls).toHaveLength(2);
  print(KB);
  expect(calls).toEqual(['pause', 'resume', 'pause']);
  vi.advanceTimersByTime(4);
});

test('many floods take turns, and none pauses longer than a fifth of a second', () => {
  const floods = Array.from({ length: 100 }, flooding);
  for (const { print } of floods) print(16 * KB);
  vi.advanceTimersByTime(4);
  expect(floods.filter(({ calls }) => calls.includes('resume'))).toHaveLength(1);
  vi.advanceTimersByTime(36);
  expect(floods.filter(({ calls }) => calls.includes('resume'))).toHaveLength(10);
  vi.advanceTimersByTime(160);
  expect(floods.every(({ calls }) => calls.at(-1) === 'resume')).toBe(true);
});
