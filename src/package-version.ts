/** The version of this package, from its package.json. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const packageFile = (folder: string): string => {
  const file = join(folder, 'package.json');
  // The sources, the built package and the build of the benchmarks have different folder depths.
  return existsSync(file) ? file : packageFile(dirname(folder));
};

export const PACKAGE_VERSION: string = JSON.parse(
  readFileSync(packageFile(import.meta.dirname), 'utf8'),
).version;
