/** Formats rows of text as a table. */
import { stripVTControlCharacters } from 'node:util';

/** Colours do not count for the width of a cell. Columns whose cells are all empty are left out. */
export const formatTable = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  paintHead: (text: string) => string,
): string => {
  const used = heads.map((_, at) => rows.some((row) => widthOf(row[at]) > 0));
  const allRows = [heads.map((head) => (head === '' ? '' : paintHead(head))), ...rows];
  const widths = heads.map((_, at) => Math.max(...allRows.map((row) => widthOf(row[at]))));
  return allRows
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
