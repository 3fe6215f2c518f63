/** A checkout of this repository: which commit it is, and its build. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

/** Where the running program was built. */
export const ours = join(import.meta.dirname, '../../..');

/** With `-dirty` behind it where files were changed since. */
export const commitOf = (checkout: string): string =>
  execFileSync('git', ['describe', '--always', '--abbrev=40', '--exclude=*', '--dirty'], {
    cwd: checkout,
    encoding: 'utf8',
  }).trim();

/** Also where there is a build: it may be another commit's. */
export const build = (checkout: string): void => {
  const compiler = join('node_modules', 'typescript', 'bin', 'tsc');
  execFileSync(process.execPath, [compiler, '-p', 'tsconfig.bench.json'], {
    cwd: checkout,
    stdio: ['ignore', 2, 2],
  });
};
