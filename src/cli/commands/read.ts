import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults, type ReadOptions } from '../../session/options/options.ts';
import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { followOutput } from '../follow.ts';
import { printResult, UNLIMITED_TOKENS } from '../output/print-result.ts';
import {
  parseOptionalValue,
  parseOptions,
  parseSessionName,
  parseWholeNumber,
  UsageError,
} from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee read py --screen';

export const readCommand: CliCommand = {
  name: 'read',
  summary: 'what is new in a session, its screen, or any part of its history',
  usage: 'NAME [--screen|--diff|--raw] [--from P] [--search R] [--follow] [--json]',
  options: {
    '--screen': 'what a person would see now',
    '--diff': 'only the rows of the screen that have changed since',
    '--raw': 'with escape codes, as it came',
    '--from P':
      'from this position on, for example `omitted.from` of a result; 0: all that is kept',
    '--search R': 'only lines of the history that match, with some around them',
    '--follow': 'go on until it exits; takes nothing away from the agent, which reads its own',
    ...jsonOptionHelp,
  },
  notes: [
    'What is new is new to the agent: MCP and the command line read on where the other stopped.',
    'Exit codes: 0, or 4 where the program has exited.',
  ],
  examples: [
    ['repartee read make', 'what it has said since the last read'],
    ['repartee read vim --screen', 'its screen'],
    ["repartee read make --search 'error|warning'", 'those lines, numbered'],
    ['repartee read server --follow', 'its log, as it comes'],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: {
        screen: { type: 'boolean', default: false },
        diff: { type: 'boolean', default: false },
        raw: { type: 'boolean', default: false },
        from: { type: 'string' },
        search: { type: 'string' },
        follow: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    const session = parseSessionName(positionals, EXAMPLE);
    const views = (['screen', 'diff', 'raw'] as const).filter((view) => values[view]);
    if (views.length > 1) throw new UsageError(`One view at a time: --${views.join(' or --')}.`);
    const [view] = views;
    const from = parseOptionalValue(parseWholeNumber, '--from', values.from);
    if (values.follow) {
      if (view === 'screen' || view === 'diff' || values.search !== undefined)
        throw new UsageError(
          '--follow goes with text or --raw. `repartee attach --read-only` shows a screen as it changes.',
        );
      return withDaemonOfSession(session, (sessions) =>
        followOutput(sessions, session, {
          raw: values.raw,
          json: values.json,
          ...ifDefined('from', from),
        }),
      );
    }
    const options: ReadOptions = {
      ...ifDefined('view', view),
      ...ifDefined('from', from),
      ...ifDefined('search', values.search),
      // Raw output is never shortened: half an escape sequence could draw anything.
      maxTokens: values.raw ? UNLIMITED_TOKENS : callDefaults.maxTokens,
    };
    return withDaemonOfSession(session, async (sessions) =>
      printResult(await sessions.read(session, options), values),
    );
  },
};
