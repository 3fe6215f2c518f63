import { uptime } from 'node:os';
import { expect, test } from 'vitest';
import { ThreadHistory } from '../../../src/system/foreground/thread-history.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const thread = { pid: 7, tid: '7' };
const call = { name: 'read' as const, args: [] };

/** A thread whose process has started just now, and a clock that is set by hand. */
const begin = () => {
  const clock = { ms: 1000 };
  const history = new ThreadHistory(() => clock.ms);
  const startTime = Math.floor(uptime() * 100);
  const note = (count: string) => history.note({ ...thread, count, call, startTime });
  return { clock, history, note, startTime };
};

test('a thread that is seen for the first time has slept at most since its process started', () => {
  const { history, note } = begin();
  expect(note('5').sleptAtMostMs).toBeLessThan(1000);
  expect(
    history.note({ ...thread, tid: '8', count: '5', call, startTime: 0 }).sleptAtMostMs,
  ).toBeGreaterThan(1000);
});

test('one that has run since the last look has slept at most since then', () => {
  const { clock, note } = begin();
  note('5');
  clock.ms = 5000;
  note('5');
  clock.ms = 5100;
  expect(note('6')).toEqual({ sleptAtMostMs: 100, wakes: 1 });
  clock.ms = 5300;
  expect(note('6')).toEqual({ sleptAtMostMs: 300, wakes: 1 });
});

test('what was looked at before typing is known to have run after it', () => {
  const { clock, history, note } = begin();
  const proc = new FakeProc();
  proc.files['/proc/7/task/7/schedstat'] = '1000 0 5\n';
  note('5');
  clock.ms = 60_000;
  history.onInput(proc);
  clock.ms = 60_002;
  expect(note('6')).toEqual({ sleptAtMostMs: 2, wakes: 1 });
  history.onOutput();
  expect(note('6').wakes).toBe(0);
});

test('without a free descriptor nothing is known, and nothing fails', () => {
  const { history, note } = begin();
  const proc = new FakeProc();
  proc.onQuestion = () => {
    throw Object.assign(new Error('open'), { code: 'EMFILE' });
  };
  note('5');
  expect(() => history.onInput(proc)).not.toThrow();
  expect(note('6').wakes).toBe(0);
});

test('one that has not run is still in the call in which it was found', () => {
  const { history, note, startTime } = begin();
  note('5');
  expect(history.callOf({ ...thread, count: '5', startTime })).toBe(call);
  expect(history.callOf({ ...thread, count: '6', startTime })).toBeUndefined();
  expect(history.callOf({ ...thread, count: undefined, startTime })).toBeUndefined();
  // It has run by the time something is typed, and in which call it is now, nobody has seen.
  const proc = new FakeProc();
  proc.files['/proc/7/task/7/schedstat'] = '1000 0 6\n';
  history.onInput(proc);
  expect(history.callOf({ ...thread, count: '6', startTime })).toBeUndefined();
  note('6');
  expect(history.callOf({ ...thread, count: '6', startTime })).toBe(call);
  // Another process has got its pid.
  expect(history.callOf({ ...thread, count: '6', startTime: startTime + 1 })).toBeUndefined();
});
