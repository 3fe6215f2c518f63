/** The text that `--help` prints. */
import type { CliCommand } from '../command.ts';
import { loadAllCommands } from '../command-list.ts';
import { type TextColors, textColorsFor } from './colors.ts';

export const usageLine = ({ name, usage }: CliCommand): string =>
  `Usage: repartee ${name} ${usage}`.trimEnd();

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

export const commandHelp = (command: CliCommand): string => {
  const paint = textColorsFor(process.stdout);
  const { summary, options = {}, notes = [], examples = [] } = command;
  return [
    usageLine(command),
    '',
    `${summary[0]!.toUpperCase()}${summary.slice(1)}.`,
    ...section('', notes),
    ...section('Options:', columns(Object.entries(options), paint)),
    ...section('Examples:', columns(examples, paint)),
  ].join('\n');
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : ['', ...(title === '' ? [] : [title]), ...lines];

const columns = (rows: readonly (readonly [string, string])[], paint: TextColors): string[] => {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) =>
    `  ${paint.bold(left)}${' '.repeat(width - left.length)}  ${right}`.trimEnd(),
  );
};
