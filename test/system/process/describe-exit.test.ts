import { expect, test } from 'vitest';
import { shellExitStatus } from '../../../src/system/process/describe-exit.ts';

test('an exit has the number that shells give it, if anybody knows how it was', () => {
  expect(shellExitStatus({ code: 3 })).toBe(3);
  expect(shellExitStatus({ signal: 'SIGKILL' })).toBe(137);
  expect(shellExitStatus({ signal: 'SIG34' })).toBe(162);
  expect(shellExitStatus({})).toBeUndefined();
});
