import { uptime } from 'node:os';
import { expect, test } from 'vitest';
import { ThreadHistory } from '../../../src/system/foreground/thread-history.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const thread = { pid: 7, tid: '7' };

/** A thread whose process has started just now, and a clock that is set by hand. */
const begin = () => {
  const clock = { ms: 1000 };
  const history = new ThreadHistory(() => clock.ms);
  const startTime = Math.floor(uptime() * 100);
  const note = (count: string) => history.note(thread, count, startTime);
  return { clock, history, note, startTime };
};

test('a thread that is seen for the first time has slept at most since its process started', () => {
  const { history, startTime } = begin();
  expect(history.note(thread, '5', startTime).sleptAtMostMs).toBeLessThan(1000);
  expect(history.note({ ...thread, tid: '8' }, '5', 0).sleptAtMostMs).toBeGreaterThan(1000);
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
  expect(history.note(thread, '6', 0).wakes).toBe(0);
});
