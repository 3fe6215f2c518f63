/** What a bench finds: rows for a table, the same data for `--json`. */

export type Cell = string | number | boolean;

export interface Report {
  /** The question the bench answers. */
  question: string;
  rows: Record<string, Cell>[];
  /** What must hold, and whether it did. */
  claims: { claim: string; holds: boolean }[];
}

export interface Args {
  /** `--runs 100` is `{ runs: '100' }`, a bare `--all` is `{ all: true }`. */
  flags: Readonly<Record<string, string | true | undefined>>;
}

export const numberFlag = ({ flags }: Args, name: string, otherwise: number): number =>
  flags[name] === undefined ? otherwise : Number(flags[name]);

export const print = ({ question, rows, claims }: Report): string => {
  const lines = [question, '', ...table(rows), ''];
  for (const { claim, holds } of claims) lines.push(`${holds ? 'holds' : 'FAILS'}: ${claim}`);
  return lines.join('\n');
};

const table = (rows: readonly Record<string, Cell>[]): string[] => {
  const columns = [...new Set(rows.flatMap(Object.keys))];
  const cells = [columns, ...rows.map((row) => columns.map((column) => show(row[column])))];
  const widths = columns.map((_, at) => Math.max(...cells.map((row) => row[at]!.length)));
  return cells.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  );
};

const show = (cell: Cell | undefined): string => {
  if (cell === undefined) return '';
  if (typeof cell !== 'number' || Number.isInteger(cell)) return String(cell);
  return cell.toFixed(Math.abs(cell) < 10 ? 2 : 1);
};

/** The value below which this share of the sorted samples lies. */
export const quantile = (samples: readonly number[], share: number): number => {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
};

export const median = (samples: readonly number[]): number => quantile(samples, 0.5);
