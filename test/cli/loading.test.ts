import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../../src/cli/command-list.ts';

const src = join(import.meta.dirname, '../../src');

/** What loading this file loads: its own imports, and theirs, but for types and what waits to be asked for. */
const loaded = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', path = ''] of text.matchAll(
    /^(?:import|export)\s+(?:([^;'"]*?)\s+from\s+)?'([^']+)';/gms,
  )) {
    const onlyTypes = names.startsWith('type ') || /^\{(?:\s*type\s+[^,}]+,?)+\s*\}$/.test(names);
    if (onlyTypes) continue;
    if (path.startsWith('.')) loaded(join(dirname(file), path), found);
    else found.add(path);
  }
  return found;
};

const packagesOf = (...files: string[]) => [
  ...new Set(
    files.flatMap((file) =>
      [...loaded(join(src, file))].filter((it) => !it.startsWith('/') && !it.startsWith('node:')),
    ),
  ),
];

// koffi is not imported but required, by src/system/libc.ts alone.
const foreign = join(src, 'system/libc.ts');

test.each(Object.keys(commands))(
  '%s loads no package: neither emulator nor foreign functions, schemas, servers',
  (name) => {
    expect(packagesOf('cli/main.ts', `cli/commands/${name}.ts`)).toEqual([]);
    expect([...loaded(join(src, `cli/commands/${name}.ts`))]).not.toContain(foreign);
  },
);

test('this would be noticed', () => {
  expect([...loaded(join(src, 'session/local-sessions.ts'))]).toContain(foreign);
  expect(packagesOf('session/local-sessions.ts')).toEqual(
    expect.arrayContaining(['@xterm/headless', '@xterm/addon-serialize']),
  );
});
