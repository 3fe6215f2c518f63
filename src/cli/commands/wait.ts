import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults } from '../../session/options/options.ts';
import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printResult } from '../output/print-result.ts';
import { parseOptions } from '../parse-args.ts';
import { parseWaitOptions, waitOptionFlags, waitOptionHelp } from '../wait-options.ts';
import { withDaemonOfSession, withSpinner } from '../with-daemon.ts';

export const waitCommand: CliCommand = {
  name: 'wait',
  summary: 'wait for the first of several sessions that wants input, exits, or says something',
  usage: '[NAME…] [--until U] [--match R] [--timeout T] [--json]',
  options: { ...waitOptionHelp(`${callDefaults.waitMs / 1000}s`), ...jsonOptionHelp },
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
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: { ...waitOptionFlags, json: { type: 'boolean', default: false } },
    });
    const waitFor = parseWaitOptions(values);
    const names = positionals.length > 0 ? positionals : undefined;
    const label = positionals.join(', ') || 'all sessions';
    return withDaemonOfSession(positionals[0] ?? '*', async (sessions) => {
      const options = { ...waitFor, ...ifDefined('sessions', names) };
      const result = await withSpinner(label, (call) => sessions.wait(options, call));
      return printResult(result, { json: values.json, ...ifDefined('until', waitFor.until) });
    });
  },
};
