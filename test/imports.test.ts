import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';

/** Each folder may import from folders in earlier rows, and from itself. */
const layers = [
  ['invisible-characters.ts'],
  ['errors.ts', 'nearest-word.ts', 'plain-text.ts', 'package-version.ts'],
  ['system'],
  ['keeper', 'sandbox'],
  ['screen', 'keys', 'shell'],
  ['views', 'state'],
  ['picture'],
  ['policy'],
  ['session'],
  ['dialects'],
  ['daemon'],
  ['hosts'],
  ['mcp'],
  ['cli'],
  ['index.ts'],
];

const src = join(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
  file.endsWith('.ts'),
);
const folderOf = (file: string) => file.split('/')[0]!;
const layerOf = (folder: string) => layers.findIndex((layer) => layer.includes(folder));

const importsOf = (file: string): string[] =>
  [...readFileSync(join(src, file), 'utf8').matchAll(/(?:from|import)\s*\(?'(\.[^']+)'/g)].map(
    ([, path]) => normalize(join(dirname(file), path!)),
  );

test('every folder of src has its place in the order of imports', () => {
  expect(files.map(folderOf).filter((folder) => layerOf(folder) === -1)).toEqual([]);
});

test('imports between folders point one way', () => {
  const against = files.flatMap((file) =>
    importsOf(file)
      .filter((imported) => folderOf(imported) !== folderOf(file))
      .filter((imported) => layerOf(folderOf(imported)) >= layerOf(folderOf(file)))
      .map((imported) => `${file} -> ${imported}`),
  );
  expect(against).toEqual([]);
});

test('only src/screen knows the terminal emulator, only src/system the foreign functions', () => {
  const importers = (name: string) => [
    ...new Set(
      files
        .filter((file) => readFileSync(join(src, file), 'utf8').includes(`'${name}`))
        .map(folderOf),
    ),
  ];
  expect(importers('koffi')).toEqual(['system']);
  expect(importers('@xterm/').filter((folder) => folder !== 'screen')).toEqual([]);
});
