import { expect, test } from 'vitest';
import { checkPtraceScope } from '../../src/system/diagnostics.ts';

test.each([
  [undefined, false, true, /no Yama/],
  ['0', false, true, /^0: this user's processes/],
  ['1', false, true, /^1: our own descendants/],
  ['2', false, false, /^2: only root/],
  ['2', true, true, /^2: only root/],
  ['3', true, false, /^3: nobody/],
  ['4', false, false, /^4$/],
])(
  'where ptrace_scope is %s, as root: %s, looking into processes is allowed: %s',
  (scope, isRoot, ok, says) => {
    const expected = { what: 'ptrace_scope', ok, says: expect.stringMatching(says) };
    expect(checkPtraceScope(scope, isRoot)).toEqual(expected);
  },
);
