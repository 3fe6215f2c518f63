/** docs/internals/walks.md names files and functions in every row: they are there, and its counts are right. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readPage, root } from './pages.ts';

const PAGE = 'docs/internals/walks.md';
const page = readFileSync(join(root, PAGE), 'utf8');

interface Row {
  /** Undefined for a side question. */
  stop: number | undefined;
  file: string;
  names: string[];
}

const ROW = /^\| (\d+|↳) \| `([^`]+)` \| ([^|]+) \|/gm;

const rowsOf = (text: string): Row[] =>
  [...text.matchAll(ROW)].map(([, stop, file, functions]) => ({
    stop: stop === '↳' ? undefined : Number(stop),
    file: file!,
    names: [...functions!.matchAll(/`([^`]+)`/g)].flatMap(([, name]) => name!.split('.')),
  }));

const walks = page
  .split(/^## /m)
  .map(rowsOf)
  .filter((rows) => rows.length > 0);

/** A declaration, a method or a property: a call or an import of the name is not enough. */
const declares = (text: string, name: string): boolean => {
  const declaration = `(?:class|const|function\\*?|get) ${name}\\b`;
  const member = `^ *(?:(?:async|override|readonly|static) |\\*)*${name}(?:\\??: | = |(?:<.*>)?\\((?!.*;$))`;
  return new RegExp(`${declaration}|${member}`, 'm').test(text);
};

const missingFrom = ({ file, names }: Row): string[] => {
  const path = join(root, 'src', file);
  if (!existsSync(path)) return [`${file}: there is no such file`];
  const text = readFileSync(path, 'utf8');
  return names.filter((name) => !declares(text, name)).map((name) => `${file}: ${name}`);
};

test('every row of the two walks names functions that its file has', () => {
  expect(walks.length).toBe(2);
  expect(walks.flat().flatMap(missingFrom)).toEqual([]);
});

test('a row that names something that is gone is found', () => {
  const file = 'screen/screen.ts';
  const names = ['Screen', 'write', 'textBeforeCursor', 'OutputParser', 'gone'];
  expect(missingFrom({ stop: 1, file, names })).toEqual([`${file}: OutputParser`, `${file}: gone`]);
  expect(missingFrom({ stop: 1, file: 'screen/feed.ts', names: [] })).toHaveLength(1);
});

test('every other file that the page names is there', () => {
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const named = readPage(PAGE).inline.filter((code) => /^[\w/-]+\.ts$/.test(code));
  const isThere = (name: string) => sources.some((file) => `/${file}`.endsWith(`/${name}`));
  expect(named.filter((name) => !isThere(name))).toEqual([]);
});

test('the stops are numbered, each in another file than the one before, and counted', () => {
  const filesOf = (rows: readonly Row[]) =>
    rows.filter(({ stop }) => stop !== undefined).map(({ file }) => file);
  for (const rows of walks) {
    const stops = rows.flatMap(({ stop }) => stop ?? []);
    expect(stops).toEqual(stops.map((_, index) => index + 1));
    const files = filesOf(rows);
    expect(files.filter((file, index) => file === files[index - 1])).toEqual([]);
  }
  const counted = [...page.matchAll(/^\| an? .* \| (\d+) \| (\d+) \|$/gm)];
  expect(counted.map(([, hops, files]) => [Number(hops), Number(files)])).toEqual(
    walks.map(filesOf).map((files) => [files.length - 1, new Set(files).size]),
  );
  expect(page).toContain(`pass through ${new Set(walks.flatMap(filesOf)).size} files`);
});
