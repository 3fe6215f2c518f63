/**
 * Sees to it that the programs the tests drive are there.
 *
 * As root on a machine with apt-get it installs what is missing; elsewhere it says what is missing
 * and goes on: exactly those tests are then reported as skipped (see test/helpers/needs.ts).
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { isInstalled } from './installed.js';

const packageOf = JSON.parse(
  readFileSync(new URL('../test/programs.json', import.meta.url), 'utf8'),
);

const missingPrograms = () => Object.keys(packageOf).filter((program) => !isInstalled(program));

const aptGet = (...args) => {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status } = spawnSync('apt-get', ['-qq', ...args], { stdio: ['ignore', 2, 2], env });
  return status === 0;
};

const missing = missingPrograms();
if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
  // gcc alone has no headers to compile with: one program may need two packages.
  const packages = [...new Set(missing.flatMap((program) => packageOf[program].split(' ')))];
  console.log(`Installing what the tests drive: ${packages.join(' ')}`);
  aptGet('update');
  aptGet('install', '-y', '--no-install-recommends', ...packages);
}

const stillMissing = missingPrograms();
if (stillMissing.length > 0) {
  console.log(`Not installed, so the tests that need them are skipped: ${stillMissing.join(' ')}`);
  console.log(`On Debian: apt-get install ${stillMissing.map((p) => packageOf[p]).join(' ')}`);
}
