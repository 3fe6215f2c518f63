import { availableParallelism } from 'node:os';
import { expect, test } from 'vitest';
import { isMachineBusy } from '../../../src/system/proc/machine-info.ts';
import { FakeProc } from '../../helpers/fake-proc.ts';

const runnable = (threads: number): boolean => {
  const proc = new FakeProc();
  proc.files['/proc/loadavg'] = `9.50 4.25 2.00 ${threads}/345 12345\n`;
  return isMachineBusy(proc);
};

test('a machine is busy when more threads want to run than it has processors for, and the kernel', () => {
  const processors = availableParallelism();
  expect(runnable(processors)).toBe(false);
  expect(runnable(processors + 1)).toBe(false);
  expect(runnable(processors + 2)).toBe(true);
  expect(isMachineBusy(new FakeProc())).toBe(false);
});
