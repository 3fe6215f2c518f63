/** Bundles the viewer's page into dist: one script, one style sheet and the page itself. */
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';

const source = 'src/viewer/page';
const target = process.argv[2] ?? 'dist/viewer/page';

mkdirSync(target, { recursive: true });
const bundle = await rolldown({
  input: join(source, 'main.tsx'),
  platform: 'browser',
  tsconfig: join(source, 'tsconfig.json'),
  // Comments of licences stay.
  onLog: (level, log) => {
    if (level !== 'info') throw new Error(log.message);
  },
});
await bundle.write({ file: join(target, 'page.js'), format: 'esm', minify: true });
await bundle.close();

const styles = ['node_modules/@xterm/xterm/css/xterm.css', join(source, 'page.css')];
writeFileSync(
  join(target, 'page.css'),
  styles.map((file) => readFileSync(file, 'utf8')).join('\n'),
);
copyFileSync(join(source, 'index.html'), join(target, 'index.html'));
