import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { testWith } from './needs.ts';

const root = join(import.meta.dirname, '..');

testWith('python3')('the example in the README prints what the README says', () => {
  const readme = readFileSync(join(root, 'README.md'), 'utf8');
  const [, code, printed] = /```js\n(.*?)```.*?```\n(.*?)```/s.exec(readme)!;
  // The package imports itself by name, as a user would.
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', code!], {
    cwd: root,
  });
  expect(output.toString()).toBe(printed);
});
