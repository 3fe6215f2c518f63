import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults, type SendOptions } from '../../session/options/options.ts';
import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printResult } from '../output/print-result.ts';
import { DOUBLE_DASH_HINT, parseOptions, parseSessionName, UsageError } from '../parse-args.ts';
import { parseWaitOptions, waitOptionFlags, waitOptionHelp } from '../wait-options.ts';
import { withDaemonOfSession, withSpinner } from '../with-daemon.ts';

const EXAMPLE = "For example: repartee send py 'print(1)'";

export const sendCommand: CliCommand = {
  name: 'send',
  summary: 'type into a session, wait for the answer, print it',
  usage:
    'NAME [TEXT] [--keys K] [--no-submit] [--secret S] [--until U] [--match R] [--timeout T] [--json]',
  options: {
    '--keys K': 'keys to press after the text: "C-c", "Up Up Enter", "Escape", "Click(10,5)"',
    '--no-submit': 'do not press Enter after the text',
    '--secret S': 'type this secret, unseen, instead of text (docs/guide/secrets.md)',
    ...waitOptionHelp(`${callDefaults.sendMs / 1000}s`),
    ...jsonOptionHelp,
  },
  notes: [
    'Standard output is what the program answered, without echo and prompt; standard error says whose turn it is.',
    'Exit codes: 0 it wants input, 3 time was up and it goes on, 4 it has exited (with --until exit: 0).',
  ],
  examples: [
    ["repartee send py 'print(1)'", 'types a line and presses Enter'],
    ['repartee send vim --keys "Escape : q ! Enter"', 'presses keys'],
    ['repartee send server --keys C-c --until exit', 'interrupts it and waits for its end'],
    ['repartee send sh -- -x', 'text that begins with a dash'],
  ],
  async run(args) {
    const config = {
      args: [...args],
      allowPositionals: true,
      options: {
        keys: { type: 'string' },
        'no-submit': { type: 'boolean', default: false },
        secret: { type: 'string' },
        ...waitOptionFlags,
        json: { type: 'boolean', default: false },
      },
    } as const;
    const { values, positionals } = parseOptions(config, DOUBLE_DASH_HINT);
    const [name, text, ...more] = positionals;
    const session = parseSessionName(name === undefined ? [] : [name], EXAMPLE);
    if (more.length > 0)
      throw new UsageError(`Put quotes around the text, it is one word. ${EXAMPLE}`);
    if (text === undefined && values.keys === undefined && values.secret === undefined)
      throw new UsageError(`What shall be typed? Give a text, --keys or --secret. ${EXAMPLE}`);
    if (values.secret !== undefined && (text !== undefined || values.keys !== undefined))
      throw new UsageError('A secret is typed alone: give --secret, or a text and --keys.');
    const waitFor = parseWaitOptions(values);
    const input: SendOptions = {
      ...waitFor,
      ...ifDefined('text', text),
      ...ifDefined('keys', values.keys),
      ...ifDefined('secret', values.secret),
      submit: !values['no-submit'],
    };
    return withDaemonOfSession(session, async (sessions) => {
      const result = await withSpinner(session, (call) => sessions.send(session, input, call));
      return printResult(result, { json: values.json, ...ifDefined('until', waitFor.until) });
    });
  },
};
