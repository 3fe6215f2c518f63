import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { commandLoaders } from '../../src/cli/command-list.ts';

const src = join(import.meta.dirname, '../../src');

/** All that loading a file loads: its imports and theirs, without types and dynamic imports. */
const loadedBy = (file: string, found = new Set<string>()): Set<string> => {
  if (found.has(file)) return found;
  found.add(file);
  const text = readFileSync(file, 'utf8');
  for (const [, names = '', path = ''] of text.matchAll(
    /^(?:import|export)\s+(?:([^;'"]*?)\s+from\s+)?'([^']+)';/gms,
  )) {
    const onlyTypes = names.startsWith('type ') || /^\{(?:\s*type\s+[^,}]+,?)+\s*\}$/.test(names);
    if (onlyTypes) continue;
    if (path.startsWith('.')) loadedBy(join(dirname(file), path), found);
    else found.add(path);
  }
  return found;
};

const packagesOf = (...files: string[]) => [
  ...new Set(
    files.flatMap((file) =>
      [...loadedBy(join(src, file))].filter(
        (name) => !name.startsWith('/') && !name.startsWith('node:'),
      ),
    ),
  ),
];

// koffi is required, not imported, and only by this file.
const libcFile = join(src, 'system/libc.ts');
/** The descriptions of calls: only those who check them need them. */
const callsFile = join(src, 'session/options/calls.ts');

/** Where each command is, as the list itself says. */
const commandList = readFileSync(join(src, 'cli/command-list.ts'), 'utf8');
const fileOf = (name: string) => {
  const path = commandList.match(
    new RegExp(`^  ${name}: async .*import\\('\\./([^']+)'\\)`, 'm'),
  )?.[1];
  if (path === undefined) throw new Error(`command-list.ts does not import ${name}`);
  return `cli/${path}`;
};

test.each(Object.keys(commandLoaders))(
  '%s loads no package: no emulator, foreign functions, schemas or servers',
  (name) => {
    expect(packagesOf('cli/main.ts', fileOf(name))).toEqual([]);
    const files = [...loadedBy(join(src, fileOf(name)))];
    expect(files).not.toContain(libcFile);
    expect(files).not.toContain(callsFile);
  },
);

test('a file that loads packages would be noticed', () => {
  expect([...loadedBy(join(src, 'session/local-sessions.ts'))]).toContain(libcFile);
  expect(packagesOf('session/local-sessions.ts')).toEqual(
    expect.arrayContaining(['@xterm/headless', '@xterm/addon-serialize']),
  );
});
