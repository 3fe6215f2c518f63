import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { FloodPacing } from '../../../src/session/output/flood-pacing.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const KB = 1024;

/** A program that floods: what was said to its channel. */
const flooding = () => {
  const said: string[] = [];
  const channel = { pause: () => said.push('pause'), resume: () => said.push('resume') };
  const pacing = new FloodPacing();
  return { said, put: (bytes: number) => pacing.onOutput(bytes, channel as never) };
};

test('little output does not rest, however often it comes', () => {
  const { said, put } = flooding();
  for (let count = 0; count < 100; count++) {
    put(10 * KB);
    vi.advanceTimersByTime(60);
  }
  expect(said).toEqual([]);
});

test('a flood rests for its turn, and then again', () => {
  const { said, put } = flooding();
  put(15 * KB);
  expect(said).toEqual([]);
  put(KB);
  expect(said).toEqual(['pause']);
  // What was on its way when it paused.
  put(64 * KB);
  expect(said).toEqual(['pause']);
  vi.advanceTimersByTime(3);
  expect(said).toEqual(['pause']);
  vi.advanceTimersByTime(1);
  expect(said).toEqual(['pause', 'resume']);
  put(15 * KB);
  expect(said).toHaveLength(2);
  put(KB);
  expect(said).toEqual(['pause', 'resume', 'pause']);
  vi.advanceTimersByTime(4);
});

test('many floods take turns, and none rests for longer than a fifth of a second', () => {
  const floods = Array.from({ length: 100 }, flooding);
  for (const { put } of floods) put(16 * KB);
  vi.advanceTimersByTime(4);
  expect(floods.filter(({ said }) => said.includes('resume'))).toHaveLength(1);
  vi.advanceTimersByTime(36);
  expect(floods.filter(({ said }) => said.includes('resume'))).toHaveLength(10);
  vi.advanceTimersByTime(160);
  expect(floods.every(({ said }) => said.at(-1) === 'resume')).toBe(true);
});
