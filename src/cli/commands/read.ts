import { ifDefined } from '../../session/options/if-defined.ts';
import { callDefaults, type ReadOptions } from '../../session/options/options.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { followOutput } from '../follow.ts';
import { printResult, UNLIMITED_TOKENS } from '../output/print-result.ts';
import { parseSessionName, parseWholeNumber, UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee read py --screen';

export const readCommand = defineCommand({
  name: 'read',
  summary: 'what is new in a session, its screen, or any part of its history',
  words: [{ usage: 'NAME', sessions: true }],
  options: {
    screen: { group: 'view', description: 'what a person would see now' },
    diff: { group: 'view', description: 'only the rows of the screen that have changed since' },
    raw: { group: 'view', description: 'with escape codes, as it came' },
    from: {
      value: 'P',
      parse: parseWholeNumber,
      description:
        'from this position on, for example `omitted.from` of a result; 0: all that is kept',
    },
    search: {
      value: 'R',
      description: 'only lines of the history that match, with some around them',
    },
    follow: {
      description: 'go on until it exits; takes nothing away from the agent, which reads its own',
    },
    ...jsonOption,
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
  async run({ values, words }) {
    const session = parseSessionName(words, EXAMPLE);
    const view = (['screen', 'diff', 'raw'] as const).find((name) => values[name]);
    const { from } = values;
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
});
