import { readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { type TestAPI, test } from 'vitest';
import { isInstalled } from '../../scripts/installed.js';

const listed: Record<string, string> = JSON.parse(
  readFileSync(new URL('../programs.json', import.meta.url), 'utf8'),
);

/**
 * `test`, for a test that drives these programs. Where one is missing the test is skipped and its
 * title says why; under CI=true it fails, since there a skipped test would be a hole nobody sees.
 */
export const testWith = (...programs: string[]): TestAPI => {
  // Otherwise it would be missing on the next new machine, and only there.
  const unlisted = programs.filter((program) => !Object.hasOwn(listed, program));
  if (unlisted.length > 0) throw new Error(`Not in test/programs.json: ${unlisted.join(', ')}`);
  const missing = programs.filter((program) => !isInstalled(program));
  if (missing.length === 0) return test;
  const reason = `needs ${missing.join(', ')}`;
  const skipped = (title: string) =>
    process.env.CI === 'true'
      ? test(`${title} (${reason})`, () => {
          throw new Error(`Not installed: ${missing.join(', ')}.`);
        })
      : test.skip(`${title} (skipped: ${reason})`);
  return skipped as unknown as TestAPI;
};

/** `test`, for what only root can prepare. Elsewhere it is skipped and its title says why. */
export const asRoot = (run: TestAPI): TestAPI => {
  if (process.getuid?.() === 0) return run;
  return ((title: string) => test.skip(`${title} (skipped: needs root)`)) as unknown as TestAPI;
};

/** `test`, for what a sandbox takes away; `SANDBOX=workspace` runs tests in one. */
export const outsideSandbox = (run: TestAPI): TestAPI => {
  if (!process.env.SANDBOX) return run;
  return ((title: string) =>
    test.skip(`${title} (skipped: not in a sandbox)`)) as unknown as TestAPI;
};

/** `test`, for what another user starts from this tree, which may be in a folder closed to others. */
export const openToOthers = (run: TestAPI): TestAPI => {
  if (isOpenToOthers()) return run;
  const reason = 'the folder of this tree is closed to others';
  return ((title: string) => test.skip(`${title} (skipped: ${reason})`)) as unknown as TestAPI;
};

export const isOpenToOthers = (): boolean => mayEnter(import.meta.dirname);

const mayEnter = (folder: string): boolean => {
  const isOpen = (statSync(folder).mode & 0o005) === 0o005;
  return isOpen && (dirname(folder) === folder || mayEnter(dirname(folder)));
};
