import { isOnHost } from '../../hosts/session-address.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults } from '../../session/options/options.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printResult } from '../output/print-result.ts';
import { toWaitFor, waitOptions } from '../wait-options.ts';
import { withDaemonOfSession, withSpinner } from '../with-daemon.ts';

export const waitCommand = defineCommand({
  name: 'wait',
  summary: 'wait for the first of several sessions that wants input, exits, or says something',
  words: [{ usage: '[NAME…]', sessions: true }],
  options: { ...waitOptions(callDefaults.waitMs), ...jsonOption },
  notes: [
    'Without names: all sessions.',
    'Exit codes: 0 it holds, 3 time was up, 4 the session has exited instead (with --until exit: 0).',
  ],
  examples: [
    ['repartee wait build --until exit --timeout 10m', 'the end of a build'],
    ['repartee wait server --until listening', 'a server that opens its port'],
    ["repartee wait log --match 'ready in .*'", 'a line of output'],
    ['repartee wait', 'whichever session wants something first'],
  ],
  async run({ values, words }) {
    const names = words.length > 0 ? words : undefined;
    const label = words.join(', ') || 'all sessions';
    return withDaemonOfSession(words.find(isOnHost) ?? words[0] ?? '*', async (sessions) => {
      const options = { ...toWaitFor(values), ...ifDefined('sessions', names) };
      const result = await withSpinner(label, (call) => sessions.wait(options, call));
      return printResult(result, { json: values.json, ...ifDefined('until', values.until) });
    });
  },
});
