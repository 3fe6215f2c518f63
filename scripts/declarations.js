/** Leaves in dist only those declarations that the package's own lead to: nobody can import others. */
import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';

const reached = new Set();

const follow = (file) => {
  if (reached.has(file)) return;
  reached.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, path] of text.matchAll(/(?:from |import\()["'](\.[^"']+)\.ts["']/g))
    follow(join(dirname(file), `${path}.d.ts`));
};

follow(join('dist', 'index.d.ts'));
for (const name of readdirSync('dist', { recursive: true })) {
  const file = join('dist', name);
  if (file.endsWith('.d.ts') && !reached.has(file)) rmSync(file);
}
