import { existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { leaseShellScripts } from '../../src/shell/shell-scripts.ts';
import { folderWith } from '../helpers/temporary-folder.ts';

const useOwnTemporaryFolder = () => {
  vi.stubEnv('TMPDIR', folderWith());
  onTestFinished(() => void vi.unstubAllEnvs());
};

test('the scripts exist until every lease is released, and a second release of one does nothing', () => {
  useOwnTemporaryFolder();
  const first = leaseShellScripts('k');
  const second = leaseShellScripts('k');
  expect(second.bash).toBe(first.bash);
  expect(second.key).not.toBe(first.key);
  first.release();
  first.release();
  expect([first.key, second.key].filter(existsSync)).toEqual([second.key]);
  expect([second.bash, second.fish, second.zsh].filter(existsSync)).toHaveLength(3);
  second.release();
  expect(existsSync(dirname(second.bash))).toBe(false);
});

test('scripts that were deleted are written again', () => {
  useOwnTemporaryFolder();
  const first = leaseShellScripts('k');
  rmSync(first.zsh, { recursive: true });
  const second = leaseShellScripts('k');
  expect(second.zsh).not.toBe(first.zsh);
  expect(existsSync(second.bash)).toBe(true);
  first.release();
  second.release();
  expect(existsSync(second.bash)).toBe(false);
});
