/** The version of this package, from the package.json that it was installed with. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const packageFile = (folder: string): string => {
  const file = join(folder, 'package.json');
  // Sources, the package as built and the benches' build lie at different depths.
  return existsSync(file) ? file : packageFile(dirname(folder));
};

export const VERSION: string = JSON.parse(
  readFileSync(packageFile(import.meta.dirname), 'utf8'),
).version;
