import { expect, test } from 'vitest';
import { exitStatus } from '../../../src/system/process/exit.ts';

test('an exit has the number that shells give it, if anybody knows how it was', () => {
  expect(exitStatus({ code: 3 })).toBe(3);
  expect(exitStatus({ signal: 'SIGKILL' })).toBe(137);
  expect(exitStatus({ signal: 'SIG34' })).toBe(162);
  expect(exitStatus({})).toBeUndefined();
});
