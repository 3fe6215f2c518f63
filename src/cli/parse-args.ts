import { parseArgs } from 'node:util';
import { nearest } from '../keys/nearest.ts';
import { LONGEST_MS } from '../session/options/options.ts';

/** The command line itself is wrong: its usage is printed, and the exit code is 2. */
export class UsageError extends Error {}

/**
 * node:util's `parseArgs`; what it finds wrong is said in our words, which name the nearest option.
 * `hint` is said besides of an option that there is none of.
 */
export const parseOptions = <Given extends Config>(
  config: Given,
  hint = '',
): ReturnType<typeof parseArgs<Given>> => {
  try {
    const parsed = parseArgs(config);
    // Mostly a variable of a script that is not set. None of our options means anything by nothing.
    const empty = Object.entries(parsed.values).find(([, value]) => [value].flat().includes(''));
    if (empty !== undefined) throw new UsageError(`--${empty[0]} needs a value, and got none.`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(complaint(config, hint) ?? String(error), { cause: error });
  }
};

type Config = NonNullable<Parameters<typeof parseArgs>[0]>;

/** The first word that does not fit. */
const complaint = (
  { args, options = {}, allowPositionals = false }: Config,
  hint: string,
): string | undefined => {
  const { tokens } = parseArgs({
    args: args ?? [],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  for (const token of tokens) {
    if (token.kind === 'positional' && !allowPositionals) return tooMany(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) return `${unknown(rawName, Object.keys(options))}${hint}`;
    if (option.type === 'boolean' && value !== undefined) return `${rawName} takes no value.`;
    if (option.type !== 'string') continue;
    if (value === undefined) return `${rawName} needs a value.`;
    if (token.inlineValue || !value.startsWith('-') || value === '-') continue;
    return Object.hasOwn(options, value.slice(2))
      ? `${rawName} needs a value.`
      : `${rawName} needs a value. One that begins with a dash is written ${rawName}=${value}.`;
  }
  return undefined;
};

const unknown = (flag: string, names: readonly string[]): string => {
  const meant = nearest(flag.replace(/^-+/, ''), names);
  const hint = meant === undefined ? '' : ` Did you mean --${meant}?`;
  return `There is no option ${flag}.${hint} --help lists them.`;
};

/** For a command that takes text or file names. */
export const DASHES = ' What begins with a dash and is no option comes after --.';

const tooMany = (word: string) => `"${word}" is one word too many.`;

/** What comes before `--`, and what comes after it. */
export const splitAtDashes = (
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
  if (rest.length > 0) throw new UsageError(`${tooMany(rest[0]!)} ${example}`);
  return name;
};

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `300ms`, `5s`, `2m`; a bare number could be anything, unless it is 0. */
export const parseDuration = (option: string, text: string): number => {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (count !== undefined) {
    const ms = Number(count) * units[unit as keyof typeof units];
    if (ms > LONGEST_MS) throw new UsageError(`${option} ${text}: at most 24 days, that is 576h.`);
    return ms;
  }
  if (text === '0') return 0;
  if (text.startsWith('-')) throw new UsageError(`${option} ${text}: a time is not negative.`);
  const meant = /^\d+$/.test(text) ? `${text}s or ${text}ms` : '300ms, 5s or 2m';
  throw new UsageError(`${option} ${text}: a time has a unit. Say ${meant}.`);
};

export const parseWholeNumber = (option: string, text: string): number => {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} ${text}: not a whole number.`);
  return Number(text);
};

/** An option's value, read by one of these; undefined where it was not given. */
export const readOption = <Value>(
  how: (option: string, text: string) => Value,
  option: string,
  text: string | undefined,
): Value | undefined => (text === undefined ? undefined : how(option, text));
