import { parseArgs } from 'node:util';

/** The command line itself is wrong: its usage is printed, and the exit code is 2. */
export class UsageError extends Error {}

/** node:util's `parseArgs`, which calls a wrong word a TypeError. */
export const parse: typeof parseArgs = (config) => {
  try {
    return parseArgs(config);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
};

/** What comes before `--`, and what comes after it. */
export const atDashes = (
  args: readonly string[],
): { before: readonly string[]; after?: readonly string[] } => {
  const at = args.indexOf('--');
  return at === -1 ? { before: args } : { before: args.slice(0, at), after: args.slice(at + 1) };
};

/** The one session that is meant. */
export const oneSession = (words: readonly string[], example: string): string => {
  const [name, ...rest] = words;
  if (name === undefined)
    throw new UsageError(`Which session? \`repartee ls\` lists them. ${example}`);
  if (rest.length > 0) throw new UsageError(`"${rest[0]}" is one word too many. ${example}`);
  return name;
};

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `300ms`, `5s`, `2m`; a bare number could be anything, unless it is 0. */
export const milliseconds = (option: string, text: string): number => {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (count !== undefined) return Number(count) * units[unit as keyof typeof units];
  if (text === '0') return 0;
  const meant = /^\d+$/.test(text) ? `${text}s or ${text}ms` : '300ms, 5s or 2m';
  throw new UsageError(`${option} ${text}: a time has a unit. Say ${meant}.`);
};

export const wholeNumber = (option: string, text: string): number => {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} ${text}: not a whole number.`);
  return Number(text);
};

/** `{name: value}` where there is one: an option that was not given leaves the default. */
export const given = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [key in Name]?: Value };
