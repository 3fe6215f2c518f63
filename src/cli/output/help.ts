/** The usage of a command, and the text that `--help` prints. */
import type { CliOption, CliOptions, CliTable } from '../command.ts';
import { loadAllCommands } from '../command-list.ts';
import { type TextColors, textColorsFor } from './colors.ts';

export const usageLine = (command: CliTable): string =>
  ['Usage: repartee', command.name, ...usageItems(command), command.program?.usage]
    .filter((item) => item !== undefined)
    .join(' ');

const usageItems = ({ words = [], options }: CliTable): string[] => {
  const items = [
    ...words.map(({ choices = [], usage = choices.join('|'), group }) => ({
      usage,
      group,
      isOption: false,
      end: '',
    })),
    ...shownOptions(options).map(([name, { group, multiple, ...option }]) => ({
      usage: flagWithValue(name, option),
      group,
      isOption: true,
      end: multiple ? '…' : '',
    })),
  ];
  const groups = new Map<string, typeof items>();
  for (const item of items) {
    const key = item.group ?? item.usage;
    groups.set(key, [...(groups.get(key) ?? []), item]);
  }
  return [...groups.values()].map((alternatives) => {
    const usage = alternatives.map((item) => item.usage).join('|');
    const isOptional = alternatives.every(({ isOption }) => isOption);
    return isOptional ? `[${usage}]${alternatives[0]!.end}` : usage;
  });
};

/** The options that a person should know. */
export const shownOptions = (options: CliOptions): [name: string, option: CliOption][] =>
  Object.entries(options).filter(([, { hidden }]) => !hidden);

const flagWithValue = (name: string, { value }: Pick<CliOption, 'value'>): string =>
  value === undefined ? `--${name}` : `--${name} ${value}`;

export const commandOverview = async (): Promise<string> => {
  const paint = textColorsFor(process.stdout);
  const all = await loadAllCommands();
  const width = Math.max(...all.map(({ name }) => name.length)) + 2;
  return [
    'Usage: repartee COMMAND …',
    '',
    ...all.map(({ name, summary }) => `  ${paint.bold(name.padEnd(width))}${summary}`),
    '',
    `${paint.bold('repartee COMMAND --help')} tells more, ${paint.bold('repartee --version')} the version. New here: ${paint.bold('repartee demo')}.`,
  ].join('\n');
};

export const commandHelp = (command: CliTable): string => {
  const paint = textColorsFor(process.stdout);
  const { summary, options, notes = [], examples = [] } = command;
  return [
    usageLine(command),
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...section('', notes),
    ...section('Options:', columns(shownOptions(options).map(optionHelp), paint)),
    ...section('Examples:', columns(examples, paint)),
  ].join('\n');
};

const optionHelp = ([name, option]: [string, CliOption]): [string, string] => {
  const { description, default: value } = option;
  const suffix = value === undefined ? '' : ` (default ${value})`;
  return [flagWithValue(name, option), `${description}${suffix}`];
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', ...(title === '' ? [] : [title]), ...lines];

const columns = (rows: readonly (readonly [string, string])[], paint: TextColors): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) =>
    `  ${paint.bold(left)}${' '.repeat(width - left.length)}  ${right}`.trimEnd(),
  );
};
