import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults, type OpenOptions } from '../../session/options/options.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { hostOption, refuseSandboxOnHost } from '../hosts/host-option.ts';
import { printResult } from '../output/print-result.ts';
import { parseWholeNumber, UsageError } from '../parse-args.ts';
import { sandboxOf, sandboxOptions } from '../sandbox-options.ts';
import { timeoutOption } from '../wait-options.ts';
import { withSpinner, withStartedDaemonAt } from '../with-daemon.ts';

const parseVariable = (flag: string, setting: string): [name: string, value: string] => {
  const at = setting.indexOf('=');
  if (at < 1) throw new UsageError(`${flag} ${setting}: say NAME=VALUE.`);
  return [setting.slice(0, at), setting.slice(at + 1)];
};

const options = {
  ...hostOption,
  name: { value: 'N', description: 'what to call the session (default: after its program)' },
  cwd: { value: 'D', paths: 'folders', description: 'the folder to start in (default: this one)' },
  env: {
    value: 'K=V',
    multiple: true,
    parse: parseVariable,
    description: 'a variable to add; `--env K=` makes it empty',
  },
  cols: {
    value: 'C',
    parse: parseWholeNumber,
    default: String(callDefaults.cols),
    description: 'the columns of its terminal',
  },
  rows: {
    value: 'R',
    parse: parseWholeNumber,
    default: String(callDefaults.rows),
    description: 'the rows of its terminal',
  },
  shell: {
    value: 'S',
    description: 'the shell for command lines, and the one opened without a command',
  },
  timeout: {
    ...timeoutOption(callDefaults.openMs).timeout,
    description: 'wait so long at most until it is ready: 300ms, 5s, 2m',
  },
  record: {
    group: 'recording',
    description: 'write a recording, for `repartee replay` (the default)',
  },
  'no-record': {
    group: 'recording',
    description: 'write no recording',
  },
  ...sandboxOptions,
  ...jsonOption,
} as const;

export const openCommand = defineCommand({
  name: 'open',
  summary: 'start a program on a terminal of its own, and wait until it is ready',
  options,
  program: { usage: '[--] [CMD…]', begin: 'at the first word' },
  notes: [
    'CMD is a command line for the shell. After -- it is a program and its arguments, as they are.',
    'Without CMD a shell is opened. Options come before CMD.',
  ],
  examples: [
    ['repartee open', 'a shell'],
    ['repartee open --name py python3 -q', 'a session called py'],
    [
      'repartee open --sandbox workspace',
      'a shell that writes this folder alone, without a network',
    ],
    ['repartee open -- ssh example.org', 'a program and its arguments'],
  ],
  async run({ values, words, after }) {
    const openOptions: OpenOptions = {
      ...ifDefined('host', values.host),
      ...ifDefined('command', commandOf(words, after)),
      ...ifDefined('name', values.name),
      ...ifDefined('cwd', values.cwd),
      env: Object.fromEntries(values.env),
      cols: values.cols,
      rows: values.rows,
      ...ifDefined('shell', values.shell),
      timeoutMs: values.timeout,
      ...ifDefined('record', values['no-record'] ? false : values.record || undefined),
    };
    const sandbox = sandboxOf(values);
    refuseSandboxOnHost(values);
    const label = values.name ?? 'opening';
    return withStartedDaemonAt(
      values.host,
      async (sessions) => {
        const result = await withSpinner(label, (call) => sessions.open(openOptions, call));
        return printResult(result, values);
      },
      sandbox,
    );
  },
});

const commandOf = (
  words: readonly string[],
  after: readonly string[] | undefined,
): string | readonly string[] | undefined => {
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
