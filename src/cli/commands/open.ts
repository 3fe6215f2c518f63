import { parseArgs } from 'node:util';
import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults, type OpenOptions } from '../../session/options/options.ts';
import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printResult } from '../output/print-result.ts';
import {
  parseDuration,
  parseOptionalValue,
  parseOptions,
  parseWholeNumber,
  splitAtDoubleDash,
  UsageError,
} from '../parse-args.ts';
import { withSpinner, withStartedDaemon } from '../with-daemon.ts';

const options = {
  name: { type: 'string' },
  cwd: { type: 'string' },
  env: { type: 'string', multiple: true },
  cols: { type: 'string' },
  rows: { type: 'string' },
  shell: { type: 'string' },
  timeout: { type: 'string' },
  record: { type: 'boolean' },
  'no-record': { type: 'boolean' },
  json: { type: 'boolean', default: false },
} as const;

export const openCommand: CliCommand = {
  name: 'open',
  summary: 'start a program on a terminal of its own, and wait until it is ready',
  usage:
    '[--name N] [--cwd D] [--env K=V]… [--cols C] [--rows R] [--shell S] [--timeout T] [--no-record] [--json] [--] [CMD…]',
  options: {
    '--name N': 'what to call the session (default: after its program)',
    '--cwd D': 'the folder to start in (default: this one)',
    '--env K=V': 'a variable to add; `--env K=` makes it empty',
    '--cols C, --rows R': `the size of its terminal (default ${callDefaults.cols} and ${callDefaults.rows})`,
    '--shell S': 'the shell for command lines, and the one opened without a command',
    '--timeout T': `wait so long at most until it is ready: 300ms, 5s, 2m (default ${callDefaults.openMs / 1000}s)`,
    '--no-record':
      'write no recording; otherwise `repartee replay` plays it (--record: as by default)',
    ...jsonOptionHelp,
  },
  notes: [
    'CMD is a command line for the shell. After -- it is a program and its arguments, as they are.',
    'Without CMD a shell is opened. Options come before CMD.',
  ],
  examples: [
    ['repartee open', 'a shell'],
    ['repartee open --name py python3 -q', 'a session called py'],
    ['repartee open -- ssh example.org', 'a program and its arguments'],
  ],
  ownArgs: (args) => ownArgsOf(args),
  async run(args) {
    const { values } = parseOptions({ args: [...ownArgsOf(args)], options });
    const command = commandOf(args);
    const openOptions: OpenOptions = {
      ...ifDefined('command', command),
      ...ifDefined('name', values.name),
      ...ifDefined('cwd', values.cwd),
      ...ifDefined('env', values.env && Object.fromEntries(values.env.map(parseVariable))),
      ...ifDefined('cols', parseOptionalValue(parseWholeNumber, '--cols', values.cols)),
      ...ifDefined('rows', parseOptionalValue(parseWholeNumber, '--rows', values.rows)),
      ...ifDefined('shell', values.shell),
      ...ifDefined('timeoutMs', parseOptionalValue(parseDuration, '--timeout', values.timeout)),
      ...ifDefined('record', values['no-record'] ? false : values.record),
    };
    const label = values.name ?? 'opening';
    return withStartedDaemon(async (sessions) => {
      const result = await withSpinner(label, (call) => sessions.open(openOptions, call));
      return printResult(result, values);
    });
  },
};

/** Our own options end at the first word that is not an option, or at `--`. */
const ownArgsOf = (args: readonly string[]): readonly string[] => {
  const { before } = splitAtDoubleDash(args);
  const { tokens } = parseArgs({
    args: [...before],
    options,
    strict: false,
    allowPositionals: true,
    tokens: true,
  });
  const firstWord = tokens.find(({ kind }) => kind === 'positional')?.index;
  return before.slice(0, firstWord);
};

const commandOf = (args: readonly string[]): string | readonly string[] | undefined => {
  const { before, after } = splitAtDoubleDash(args);
  const words = before.slice(ownArgsOf(args).length);
  if (words.length === 0) return after;
  if (after !== undefined)
    throw new UsageError(`"${words[0]}" stands before --: put the whole command after it.`);
  const misplaced = words.find((word) => ownFlags.some((flag) => word.split('=')[0] === flag));
  if (misplaced !== undefined)
    throw new UsageError(
      `${misplaced} comes after the command: put it before, or, if it is meant for the program, put -- before the command.`,
    );
  return words.join(' ');
};

const ownFlags = Object.keys(options).map((name) => `--${name}`);

const parseVariable = (setting: string): [name: string, value: string] => {
  const at = setting.indexOf('=');
  if (at < 1) throw new UsageError(`--env ${setting}: say NAME=VALUE.`);
  return [setting.slice(0, at), setting.slice(at + 1)];
};
