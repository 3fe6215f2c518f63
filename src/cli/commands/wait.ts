import { given } from '../../session/options/if-defined.ts';
import { defaults } from '../../session/options/options.ts';
import { type Command, jsonOption } from '../command.ts';
import { answer } from '../output/print-result.ts';
import { parse } from '../parse-args.ts';
import { wishHelp, wishOf, wishOptions } from '../wait-options.ts';
import { waiting, withSession } from '../with-daemon.ts';

export const command: Command = {
  name: 'wait',
  summary: 'wait for the first of several sessions that wants input, exits, or says something',
  usage: '[NAME…] [--until U] [--match R] [--timeout T] [--json]',
  options: { ...wishHelp(`${defaults.waitMs / 1000}s`), ...jsonOption },
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
    const { values, positionals } = parse({
      args: [...args],
      allowPositionals: true,
      options: { ...wishOptions, json: { type: 'boolean', default: false } },
    });
    const wish = wishOf(values);
    const sessions = positionals.length > 0 ? positionals : undefined;
    const what = positionals.join(', ') || 'all sessions';
    return withSession(positionals[0] ?? '*', async (door) => {
      const options = { ...wish, ...given('sessions', sessions) };
      const result = await waiting(what, (call) => door.wait(options, call));
      return answer(result, { json: values.json, ...given('until', wish.until) });
    });
  },
};
