import { stripVTControlCharacters } from 'node:util';

/** Columns that line up, whatever colours are in them. A column without a word in it is left out. */
export const table = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  paintHead: (text: string) => string,
): string => {
  const used = heads.map((_, at) => rows.some((row) => widthOf(row[at]) > 0));
  const all = [heads.map((head) => (head === '' ? '' : paintHead(head))), ...rows];
  const widths = heads.map((_, at) => Math.max(...all.map((row) => widthOf(row[at]))));
  return all
    .map((row) =>
      row
        .map((cell, at) => cell + ' '.repeat(widths[at]! - widthOf(cell)))
        .filter((_, at) => used[at])
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
};

const widthOf = (cell = ''): number => [...stripVTControlCharacters(cell)].length;
