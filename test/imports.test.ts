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
  ['http'],
  ['mcp', 'viewer'],
  ['cli'],
  ['index.ts'],
];

const src = join(import.meta.dirname, '../src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((file) =>
  /\.tsx?$/.test(file),
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

test('the page of the viewer, which runs in a browser, imports types alone from elsewhere', () => {
  const page = 'viewer/page/';
  const imported = files
    .filter((file) => file.startsWith(page))
    .flatMap((file) =>
      [
        ...readFileSync(join(src, file), 'utf8').matchAll(
          /^import (?!type )(?:[^';]* from )?'(\.[^']+)'/gm,
        ),
      ].map(([, path]) => normalize(join(dirname(file), path!))),
    );
  expect(imported.length).toBeGreaterThan(20);
  const outside = imported.filter((path) => !path.startsWith(page));
  expect([...new Set(outside)]).toEqual(['viewer/page-messages.ts']);
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

test('only src/screen and the page know the terminal emulator, only src/system the foreign functions', () => {
  const importers = (name: string) => [
    ...new Set(
      files
        .filter((file) => !file.startsWith('viewer/page/'))
        .filter((file) => readFileSync(join(src, file), 'utf8').includes(`'${name}`))
        .map(folderOf),
    ),
  ];
  expect(importers('koffi')).toEqual(['system']);
  expect(importers('@xterm/').filter((folder) => folder !== 'screen')).toEqual([]);
});
