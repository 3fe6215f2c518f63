import { uptime } from 'node:os';
import { expect, test } from 'vitest';
import { ThreadHistory } from '../../../src/system/foreground/thread-history.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const thread = { pid: 7, tid: '7' };
const call = { name: 'read' as const, args: [], place: '' };

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
  const known = { call, startTime };
  note('5');
  expect(history.remembered(thread, '5')).toEqual(known);
  expect(history.remembered(thread, '6')).toBeUndefined();
  expect(history.remembered(thread, undefined)).toBeUndefined();
  // It has run by the time something is typed, and in which call it is now, nobody has seen.
  const proc = new FakeProc();
  proc.files['/proc/7/task/7/schedstat'] = '1000 0 6\n';
  history.onInput(proc);
  expect(history.remembered(thread, '6')).toBeUndefined();
  note('6');
  expect(history.remembered(thread, '6')).toEqual(known);
  history.forget(thread);
  expect(history.remembered(thread, '6')).toBeUndefined();
});

test('a count that changes only when it sleeps again proves nothing about its call', () => {
  const { history, note } = begin();
  note('voluntary_ctxt_switches:\t5');
  expect(history.remembered(thread, 'voluntary_ctxt_switches:\t5')).toBeUndefined();
});

test('a thread that has got the id of another one has not slept as long', () => {
  const { clock, history, note, startTime } = begin();
  note('5');
  clock.ms = 60_000;
  const younger = { ...thread, count: '5', call, startTime: startTime + 1 };
  expect(history.note(younger).sleptAtMostMs).toBeLessThan(1000);
});

test('threads that wait for another one are not looked at before typing', () => {
  const { clock, history, startTime } = begin();
  const futex = { name: 'futex' as const, args: [], place: '' };
  const note = (count: string) => history.note({ ...thread, count, call: futex, startTime });
  note('5');
  expect(note('6').wakes).toBe(1);
  const proc = new FakeProc();
  proc.onQuestion = (path) => expect.unreachable(path);
  clock.ms = 60_000;
  history.onInput(proc);
  clock.ms = 60_010;
  // Perhaps long before the input: its time-out is said to come sooner than it does.
  expect(note('7')).toEqual({ sleptAtMostMs: 59_010, wakes: 1 });
});
