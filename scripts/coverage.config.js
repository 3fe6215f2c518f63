/**
 * The tests, but with the package as built wherever they import its source: then the same files run
 * in the tests and in the processes that they start, and V8 counts both alike.
 */
import { dirname, resolve, sep } from 'node:path';
import { mergeConfig } from 'vitest/config';
import base from '../vitest.config.ts';

const root = resolve(import.meta.dirname, '..');
const source = `${root}${sep}src${sep}`;
const built = `${root}${sep}dist${sep}`;

const asBuilt = {
  name: 'as-built',
  enforce: /** @type {const} */ ('pre'),
  /** @param {string} id @param {string} [importer] */
  resolveId(id, importer) {
    const path = importer && id.startsWith('.') ? resolve(dirname(importer), id) : id;
    if (!path.startsWith(source)) return undefined;
    return path.replace(source, built).replace(/\.ts$/, '.js');
  },
};

export default mergeConfig(base, {
  plugins: [asBuilt],
  test: {
    setupFiles: [`${root}/scripts/coverage-taken.js`],
    // Otherwise vite rewrites it, and what is counted would be another text.
    server: { deps: { external: [/\/dist\//] } },
    // It replaces a module of the source by another, which is not what runs here.
    exclude: ['test/daemon/protocol/version.test.ts', '**/node_modules/**'],
    testTimeout: 60_000,
  },
});
