/** Parses options, session names, durations and numbers, and says what is wrong with them. */
import { parseArgs } from 'node:util';
import { nearestWord } from '../nearest-word.ts';
import { MAX_TIMER_MS } from '../session/options/options.ts';

/** The command line itself is wrong: its usage is printed, and the exit code is 2. */
export class UsageError extends Error {}

type Config = NonNullable<Parameters<typeof parseArgs>[0]>;

/**
 * Like `parseArgs` of node:util, with our own error messages, which name the nearest option.
 * `hint` is added to the message about an unknown option.
 */
export const parseOptions = <C extends Config>(
  config: C,
  hint = '',
): ReturnType<typeof parseArgs<C>> => {
  try {
    const parsed = parseArgs(config);
    // Usually an unset variable of a script. None of our options accepts an empty value.
    const empty = Object.entries(parsed.values).find(([, value]) => [value].flat().includes(''));
    if (empty !== undefined) throw new UsageError(`--${empty[0]} needs a value, and got none.`);
    return parsed;
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(findMistake(config, hint) ?? String(error), { cause: error });
  }
};

/** The message about the first argument that is wrong. */
const findMistake = (
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
    if (token.kind === 'positional' && !allowPositionals) return surplusWord(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    const option = Object.hasOwn(options, name) ? options[name] : undefined;
    if (option === undefined) return `${unknownOption(rawName, Object.keys(options))}${hint}`;
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

const unknownOption = (flag: string, names: readonly string[]): string => {
  const suggestion = nearestWord(flag.replace(/^-+/, ''), names);
  const hint = suggestion === undefined ? '' : ` Did you mean --${suggestion}?`;
  return `There is no option ${flag}.${hint} --help lists them.`;
};

/** The hint for commands that take text or file names. */
export const DOUBLE_DASH_HINT = ' What begins with a dash and is no option comes after --.';

const surplusWord = (word: string) => `"${word}" is one word too many.`;

/** The arguments before `--` and after it. `after` is undefined if there is no `--`. */
export const splitAtDoubleDash = (
  args: readonly string[],
): { before: readonly string[]; after?: readonly string[] } => {
  const at = args.indexOf('--');
  return at === -1 ? { before: args } : { before: args.slice(0, at), after: args.slice(at + 1) };
};

/** For a command that takes exactly one session name. */
export const parseSessionName = (words: readonly string[], example: string): string => {
  const [name, ...rest] = words;
  if (name === undefined)
    throw new UsageError(`Which session? \`repartee ls\` lists them. ${example}`);
  if (rest.length > 0) throw new UsageError(`${surplusWord(rest[0]!)} ${example}`);
  return name;
};

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;

/** `300ms`, `5s`, `2m`, or 0. Any other number without a unit would be ambiguous. */
export const parseDuration = (option: string, text: string): number => {
  const [, count, unit] = /^(\d+(?:\.\d+)?)(ms|s|m|h)$/.exec(text) ?? [];
  if (count !== undefined) {
    const ms = Number(count) * units[unit as keyof typeof units];
    if (ms > MAX_TIMER_MS)
      throw new UsageError(`${option} ${text}: at most 24 days, that is 576h.`);
    return ms;
  }
  if (text === '0') return 0;
  if (text.startsWith('-')) throw new UsageError(`${option} ${text}: a time is not negative.`);
  const suggestion = /^\d+$/.test(text) ? `${text}s or ${text}ms` : '300ms, 5s or 2m';
  throw new UsageError(`${option} ${text}: a time has a unit. Say ${suggestion}.`);
};

export const parseWholeNumber = (option: string, text: string): number => {
  if (!/^\d+$/.test(text)) throw new UsageError(`${option} ${text}: not a whole number.`);
  return Number(text);
};

/** Parses the value of an option that may be missing. */
export const parseOptionalValue = <Value>(
  parse: (option: string, text: string) => Value,
  option: string,
  text: string | undefined,
): Value | undefined => (text === undefined ? undefined : parse(option, text));

export const unknownDialectError = (name: string, otherNames: readonly string[]): UsageError =>
  new UsageError(
    `There is no dialect "${name}". There are: ${['native', ...otherNames].join(', ')}.`,
  );
