import { expect, test } from 'vitest';
import { SignalNotPermitted } from '../../../src/errors.ts';
import { signalName, signalNumber } from '../../../src/system/process/signals.ts';

test('a signal is known by its name, with or without SIG, in any case', () => {
  for (const name of ['SIGINT', 'INT', 'int', 'SigInt']) expect(signalNumber(name)).toBe(2);
  expect(signalName(15)).toBe('SIGTERM');
});

test('real-time signals have their numbers for names, and there are no others', () => {
  expect(signalNumber('SIG34')).toBe(34);
  expect(signalNumber('SIG64')).toBe(64);
  expect(signalName(40)).toBe('SIG40');
  for (const name of ['SIG33', 'SIG65', 'SIG00', 'SIG4', '34', '', 'SIGFOO'])
    expect(() => signalNumber(name), name).toThrow(/no signal/i);
});

test('who may not be signalled is named as a process or as a process group', () => {
  expect(new SignalNotPermitted('SIGINT', [-27084]).message).toMatch(
    /^This user may not send SIGINT to process group 27084 \(of another user\)\. /,
  );
  expect(new SignalNotPermitted('SIGINT', [7, 8]).message).toContain(' to process 7, process 8 (');
});
