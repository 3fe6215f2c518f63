import { expect, test } from 'vitest';
import { nestedTerminals } from '../../../src/system/foreground/nested-terminals.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const PID = 7;
/** /dev/pts/5 */
const OURS = (136 << 8) | 5;

/** A process on /dev/pts/5. With `index`, it also holds a pty master that has this fdinfo line. */
const holding = (index?: string): FakeProc => {
  const proc = new FakeProc();
  proc.links[`/proc/${PID}/fd/0`] = '/dev/pts/5';
  if (index === undefined) return proc;
  proc.links[`/proc/${PID}/fd/3`] = '/dev/ptmx';
  proc.files[`/proc/${PID}/fdinfo/3`] = `pos:\t0\nflags:\t02\n${index}`;
  return proc;
};

test('a program that holds no master relays nothing', () => {
  expect(nestedTerminals(holding(), PID, OURS)).toEqual([]);
});

test('a program that has ended relays nothing', () => {
  expect(nestedTerminals(new FakeProc(), PID, OURS)).toEqual([]);
});

test('a program that holds the master of the terminal it is asked about relays no other', () => {
  expect(nestedTerminals(holding('tty-index:\t5\n'), PID, OURS)).toEqual([]);
});

test('what is behind a program that hides what it holds cannot be seen', () => {
  const proc = holding();
  proc.denied.add(`/proc/${PID}/fd`);
  expect(nestedTerminals(proc, PID, OURS)).toBe('blind');
});

test.each([
  ['says no number', ''],
  ['nobody is on', 'tty-index:\t6\n'],
])('what is behind a master that %s cannot be seen', (_what, index) => {
  expect(nestedTerminals(holding(index), PID, OURS)).toBe('blind');
});
