import { existsSync, readdirSync } from 'node:fs';
import { type TestAPI, test } from 'vitest';

/** Debian keeps the servers of several versions of PostgreSQL apart. */
const versions = '/usr/lib/postgresql';
const servers = existsSync(versions)
  ? readdirSync(versions).map((version) => `${versions}/${version}/bin`)
  : [];
const folders = ['/usr/bin', '/bin', '/usr/sbin', '/sbin', '/usr/games', ...servers];
const isInstalled = (program: string) => folders.some((dir) => existsSync(`${dir}/${program}`));

/**
 * `test`, for a test that drives these programs. Where one is missing the test is skipped and its
 * title says why; under CI=true it fails, since there a skipped test would be a hole nobody sees.
 */
export const testWith = (...programs: string[]): TestAPI => {
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
