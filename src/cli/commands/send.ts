import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults, type SendOptions } from '../../session/options/options.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printResult } from '../output/print-result.ts';
import { parseSessionName, UsageError } from '../parse-args.ts';
import { toWaitFor, waitOptions } from '../wait-options.ts';
import { withDaemonOfSession, withSpinner } from '../with-daemon.ts';

const EXAMPLE = "For example: repartee send py 'print(1)'";

export const sendCommand = defineCommand({
  name: 'send',
  summary: 'type into a session, wait for the answer, print it',
  words: [
    { usage: 'NAME', sessions: true },
    { usage: '[TEXT]', isText: true },
  ],
  options: {
    keys: {
      value: 'K',
      description: 'keys to press after the text: "C-c", "Up Up Enter", "Escape", "Click(10,5)"',
    },
    'no-submit': { description: 'do not press Enter after the text' },
    secret: {
      value: 'S',
      description: 'type this secret, unseen, instead of text (docs/guide/secrets.md)',
    },
    ...waitOptions(callDefaults.sendMs),
    ...jsonOption,
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
  async run({ values, words: [name, text, ...more] }) {
    const session = parseSessionName(name === undefined ? [] : [name], EXAMPLE);
    if (more.length > 0)
      throw new UsageError(`Put quotes around the text, it is one word. ${EXAMPLE}`);
    if (text === undefined && values.keys === undefined && values.secret === undefined)
      throw new UsageError(`What shall be typed? Give a text, --keys or --secret. ${EXAMPLE}`);
    if (values.secret !== undefined && (text !== undefined || values.keys !== undefined))
      throw new UsageError('A secret is typed alone: give --secret, or a text and --keys.');
    const input: SendOptions = {
      ...toWaitFor(values),
      ...ifDefined('text', text),
      ...ifDefined('keys', values.keys),
      ...ifDefined('secret', values.secret),
      submit: !values['no-submit'],
    };
    return withDaemonOfSession(session, async (sessions) => {
      const result = await withSpinner(session, (call) => sessions.send(session, input, call));
      return printResult(result, { json: values.json, ...ifDefined('until', values.until) });
    });
  },
});
