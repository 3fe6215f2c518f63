/** Parses a command line by the table of its command, and says what is wrong with it. */
import { parseArgs } from 'node:util';
import { nearestWord } from '../nearest-word.ts';
import { MAX_TIMER_MS } from '../session/options/options.ts';
import type { CliOption, CliOptions, CliTable } from './command.ts';

/** The command line itself is wrong: its usage is printed, and the exit code is 2. */
export class UsageError extends Error {}

export interface ParsedCommandLine<Options extends CliOptions> {
  values: { -readonly [Name in keyof Options]: OptionValue<Options[Name]> };
  /** All that is no option. */
  words: readonly string[];
  /** What comes after `--`, for a command that takes the words of another program. */
  after: readonly string[] | undefined;
}

type OptionValue<Option> = Option extends { value: string }
  ? Option extends { multiple: true }
    ? SingleValue<Option>[]
    : SingleValue<Option> | (Option extends { default: string } ? never : undefined)
  : boolean;

type SingleValue<Option> = Option extends { parse(flag: string, text: string): infer Value }
  ? Value
  : Option extends { choices: readonly (infer Word)[] }
    ? Word
    : string;

export const parseCommandLine = <Options extends CliOptions>(
  table: CliTable<Options>,
  args: readonly string[],
): ParsedCommandLine<Options> => {
  const own = table.program === undefined ? args : ownArgs(table, args);
  const { before, after } = splitAtDoubleDash(args);
  const programWords = table.program === undefined ? [] : before.slice(own.length);
  const { values, positionals } = parseStrictly(table, own);
  const options = Object.entries(table.options);
  refuseOtherWords(table, positionals);
  refuseAlternatives(options.filter(([name]) => values[name] !== undefined));
  return {
    values: Object.fromEntries(
      options.map(([name, option]) => [name, optionValue(`--${name}`, option, values[name])]),
    ) as ParsedCommandLine<Options>['values'],
    words: [...positionals, ...programWords],
    after,
  };
};

/** The arguments that are ours and not those of the program that a command starts. */
export const ownArgs = (table: CliTable, args: readonly string[]): readonly string[] => {
  const { before } = splitAtDoubleDash(args);
  if (table.program?.begin !== 'at the first word') return before;
  const { tokens } = parseLoosely(table, before);
  return before.slice(0, tokens.find(({ kind }) => kind === 'positional')?.index);
};

type GivenValues = Readonly<
  Record<string, string | boolean | readonly (string | boolean)[] | undefined>
>;

const parseStrictly = (
  table: CliTable,
  args: readonly string[],
): { values: GivenValues; positionals: readonly string[] } => {
  try {
    return parseArgs({
      args: [...args],
      options: optionTypes(table),
      allowPositionals: takesWords(table),
    });
  } catch (error) {
    throw new UsageError(findMistake(table, args) ?? String(error), { cause: error });
  }
};

const parseLoosely = (table: CliTable, args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: optionTypes(table),
    strict: false,
    allowPositionals: true,
    tokens: true,
  });

const optionTypes = ({ options }: CliTable) =>
  Object.fromEntries(
    Object.entries(options).map(([name, { value, multiple = false }]) => [
      name,
      { type: value === undefined ? 'boolean' : 'string', multiple } as const,
    ]),
  );

const takesWords = ({ words = [] }: CliTable): boolean => words.length > 0;

/** The message about the first argument that is wrong. */
const findMistake = (table: CliTable, args: readonly string[]): string | undefined => {
  const { options } = table;
  for (const token of parseLoosely(table, args).tokens) {
    if (token.kind === 'positional' && !takesWords(table)) return surplusWord(token.value);
    if (token.kind !== 'option') continue;
    const { name, rawName, value } = token;
    if (!Object.hasOwn(options, name)) return unknownOption(rawName, table);
    const takesValue = options[name]!.value !== undefined;
    if (!takesValue && value !== undefined) return `${rawName} takes no value.`;
    if (!takesValue) continue;
    if (value === undefined) return `${rawName} needs a value.`;
    if (token.inlineValue || !value.startsWith('-') || value === '-') continue;
    return Object.hasOwn(options, value.slice(2))
      ? `${rawName} needs a value.`
      : `${rawName} needs a value. One that begins with a dash is written ${rawName}=${value}.`;
  }
  return undefined;
};

const unknownOption = (flag: string, { options, words = [], program }: CliTable): string => {
  const suggestion = nearestWord(flag.replace(/^-+/, ''), Object.keys(options));
  const hint = suggestion === undefined ? '' : ` Did you mean --${suggestion}?`;
  const takesText = program !== undefined || words.some(({ isText }) => isText);
  const dashHint = takesText ? ' What begins with a dash and is no option comes after --.' : '';
  return `There is no option ${flag}.${hint} --help lists them.${dashHint}`;
};

const refuseOtherWords = ({ words = [] }: CliTable, given: readonly string[]): void => {
  for (const [index, { choices }] of words.entries()) {
    const word = given[index];
    if (choices === undefined || word === undefined || choices.includes(word)) continue;
    const suggestion = nearestWord(word, choices);
    const hint = suggestion === undefined ? '' : ` Did you mean "${suggestion}"?`;
    throw new UsageError(`${word}: say ${listed(choices)}.${hint}`);
  }
};

const refuseAlternatives = (given: readonly (readonly [string, CliOption])[]): void => {
  for (const [, { group }] of given) {
    const alternatives = given.filter(([, other]) => group !== undefined && other.group === group);
    if (alternatives.length > 1)
      throw new UsageError(
        `Give only one of ${alternatives.map(([name]) => `--${name}`).join(' and ')}.`,
      );
  }
};

const optionValue = (flag: string, option: CliOption, given: GivenValues[string]): unknown => {
  if (option.value === undefined) return given ?? false;
  const texts = [given ?? option.default ?? []].flat() as string[];
  const values = texts.map((text) => singleValue(flag, option, text));
  return option.multiple ? values : values[0];
};

const singleValue = (flag: string, { choices, parse }: CliOption, text: string): unknown => {
  // Usually an unset variable of a script. None of our options accepts an empty value.
  if (text === '') throw new UsageError(`${flag} needs a value, and got none.`);
  if (choices !== undefined && !choices.includes(text))
    throw new UsageError(`${flag} ${text}: say ${listed(choices)}.`);
  return parse === undefined ? text : parse(flag, text);
};

const listed = (choices: readonly string[]) =>
  `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`;

const surplusWord = (word: string) => `"${word}" is one word too many.`;

/** The arguments before `--` and after it. `after` is undefined if there is no `--`. */
const splitAtDoubleDash = (
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
