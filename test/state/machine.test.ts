import { afterEach, expect, test, vi } from 'vitest';
import { examineMachine } from '../../src/state/machine.ts';

const yama = vi.hoisted(() => ({ scope: undefined as string | undefined }));
vi.mock('node:fs', async (original) => {
  const fs = await original<typeof import('node:fs')>();
  const readFileSync = (path: string, options: BufferEncoding) => {
    if (path !== '/proc/sys/kernel/yama/ptrace_scope') return fs.readFileSync(path, options);
    if (yama.scope === undefined) throw new Error('ENOENT');
    return `${yama.scope}\n`;
  };
  return { ...fs, readFileSync };
});

afterEach(() => void vi.restoreAllMocks());

test.each([
  [undefined, 1000, true, /no Yama/],
  ['0', 1000, true, /^0: this user's processes/],
  ['1', 1000, true, /^1: our own descendants/],
  ['2', 1000, false, /^2: only root/],
  ['2', 0, true, /^2: only root/],
  ['3', 0, false, /^3: nobody/],
  ['4', 1000, false, /^4$/],
])(
  'where ptrace_scope is %s, for user %i, looking into processes is allowed: %s',
  (scope, user, ok, says) => {
    yama.scope = scope;
    vi.spyOn(process as { getuid(): number }, 'getuid').mockReturnValue(user);
    const finding = examineMachine().find(({ what }) => what === 'ptrace_scope');
    expect(finding).toEqual({ what: 'ptrace_scope', ok, says: expect.stringMatching(says) });
  },
);
