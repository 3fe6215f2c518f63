/**
 * Programs of the manual: checked by the compiler against the types that are shipped, run by node,
 * their output compared with what the page says they print.
 */
import { execFile, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { at, type Block, root } from './pages.ts';
import { expectShown } from './shown.ts';
import type { World } from './world.ts';

export const isProgram = ({ language }: Block): boolean => language === 'js' || language === 'ts';

/** A block that says what the program before it prints. */
export const isPrinted = ({ language, introduction }: Block): boolean =>
  language === '' && introduction.endsWith('It prints:');

const compilerOptions = {
  target: 'es2023',
  lib: ['es2023', 'esnext.disposable'],
  module: 'nodenext',
  strict: true,
  skipLibCheck: true,
  allowJs: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules/@types')],
  rootDir: '.',
  outDir: 'out',
};

/** All programs of these pages, compiled in one go, in a folder that has the package installed. */
export class Programs {
  #folder = '';

  /** Returns what the compiler has to say against them; it writes them all the same. */
  compile(blocks: readonly Block[]): string {
    this.#folder = mkdtempSync(join(tmpdir(), 'repartee-docs-'));
    mkdirSync(join(this.#folder, 'node_modules'));
    symlinkSync(root, join(this.#folder, 'node_modules/repartee'));
    writeFileSync(join(this.#folder, 'package.json'), '{"type":"module"}');
    writeFileSync(join(this.#folder, 'tsconfig.json'), JSON.stringify({ compilerOptions }));
    for (const block of blocks) {
      // A page about our own parts takes them from the source; what is run is what is built of it.
      const code = block.text.replace(/'(?:\.\.\/)+src\/(.+)\.ts'/g, `'${root}/dist/$1.js'`);
      writeFileSync(join(this.#folder, `${nameOf(block)}.${block.language}`), code);
    }
    const compiler = join(root, 'node_modules/.bin/tsc');
    return spawnSync(compiler, ['-p', this.#folder], { encoding: 'utf8' }).stdout;
  }

  async run(block: Block, printed: string | undefined, { home, env, told }: World): Promise<void> {
    const { stdout, stderr } = await promisify(execFile)(
      process.execPath,
      [join(this.#folder, 'out', `${nameOf(block)}.js`)],
      { cwd: home, env, timeout: 30_000 },
    );
    expectShown(told(stdout + stderr), printed ?? commented(block), at(block));
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }
}

const nameOf = ({ page, line }: Block): string => `${page.replace(/\W/g, '-')}-${line}`;

/** `console.log(6 * 7); // 42` */
const commented = ({ text }: Block): string =>
  [...text.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, value]) => value).join('\n');
