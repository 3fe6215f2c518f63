import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');

const filesBelow = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) =>
    join(folder, name),
  );
const sources = filesBelow('src').filter((file) => file.endsWith('.ts'));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');

const EXPORTED =
  /^export (?:default )?(?:abstract )?(?:async )?(?:class|const|function\*?|interface|type|let) (\w+)/gm;

test('no exported name means two things', () => {
  const homes = new Map<string, string[]>();
  for (const file of sources)
    for (const [, name] of textOf(file).matchAll(EXPORTED))
      homes.set(name!, [...(homes.get(name!) ?? []), file]);
  expect([...homes].filter(([, files]) => files.length > 1)).toEqual([]);
});

const withoutComments = (text: string) =>
  text.replaceAll(/\/\*[\s\S]*?\*\//g, '').replaceAll(/^\s*\/\/.*$/gm, '');

test('only src/system/proc reads /proc', () => {
  const room = 'src/system/proc/';
  // With a quote or a backtick before it: not a path of an import.
  const readers = sources
    .filter((file) => !file.startsWith(room))
    .filter((file) => /['"`]\/proc[/'"`]/.test(withoutComments(textOf(file))));
  // A sandbox gets one of its own, and cannot write ours; `repartee doctor` tells of it under these names.
  expect(readers).toEqual([
    'src/sandbox/bubblewrap-arguments.ts',
    'src/sandbox/workspace.ts',
    'src/system/diagnostics.ts',
  ]);
});

/** Recorded streams are data: one file for each program. */
const isData = (folder: string) => folder === 'test/streams';

test.each(['src', 'test', 'bench', 'conversations', 'scripts', 'examples'])(
  'no folder below %s holds more than twenty files',
  (top) => {
    const folders = [
      top,
      ...filesBelow(top).filter((path) => statSync(join(root, path)).isDirectory()),
    ];
    const crowded = folders
      .filter((folder) => !isData(folder) && !folder.startsWith('bench/peers'))
      .map((folder) => {
        const entries = readdirSync(join(root, folder), { withFileTypes: true });
        return { folder, files: entries.filter((entry) => entry.isFile()).length };
      })
      .filter(({ files }) => files > 20);
    expect(crowded).toEqual([]);
  },
);

/** The files and folders that the tree in AGENTS.md names, each with the folders in which it may be. */
const namedInTree = (tree: string): { name: string; folders: string[] }[] => {
  const open: { indent: number; path: string }[] = [];
  return tree.split('\n').flatMap((line) => {
    const indent = line.search(/\S/);
    while (open.length > 0 && open.at(-1)!.indent >= indent) open.pop();
    const around = open.at(-1)?.path ?? '';
    const [, first] = /^ *([\w-]+\/)/.exec(line) ?? [];
    if (first !== undefined) open.push({ indent, path: join(around, first) });
    // A line may describe several folders.
    const own = line.match(/(?<!\S)[\w-]+\/(?!\S)/g) ?? [];
    const folders = [around, ...own.map((name) => join(around, name))];
    const names = line.match(/(?:[\w*.-]+\/)*[\w*.-]+\.(?:ts|js|json|md)\b|[\w-]+\/(?!\w)/g) ?? [];
    return names.map((name) => ({
      name,
      folders: /\/\w/.test(name) ? ['', ...folders] : folders,
    }));
  });
};

const isInFolder = (folder: string, name: string): boolean => {
  const pattern = new RegExp(`^${name.replaceAll('.', '\\.').replaceAll('*', '.*')}$`);
  const parent = join(root, folder, dirname(name));
  return (
    existsSync(join(root, folder, name)) ||
    (name.includes('*') && readdirSync(parent).some((entry) => pattern.test(entry)))
  );
};

const missingFromTree = (tree: string): string[] =>
  namedInTree(tree)
    .filter(({ name, folders }) => !folders.some((folder) => isInFolder(folder, name)))
    .map(({ name, folders }) => `${folders.at(-1)}: ${name}`);

test('every file and folder in the tree of AGENTS.md is there', () => {
  const [, tree] = /^```\n(.*?)^```$/ms.exec(textOf('AGENTS.md'))!;
  expect(namedInTree(tree!).length).toBeGreaterThan(100);
  expect(missingFromTree(tree!)).toEqual([]);
  expect(missingFromTree('src/\n  screen/  screen.ts, feed.ts\n  pty/  bytes')).toEqual([
    'src/screen/: feed.ts',
    'src/pty/: pty/',
  ]);
});
