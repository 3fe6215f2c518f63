import { toJsonCloseResult } from '../../dialects/native/results.ts';
import { isOnHost } from '../../hosts/session-address.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withDaemonOfSession, withRunningDaemon } from '../with-daemon.ts';

export const closeCommand = defineCommand({
  name: 'close',
  summary: 'end sessions and all that runs on their terminals',
  words: [{ usage: 'NAME…', sessions: true, group: 'which' }],
  options: {
    all: { description: 'every session', group: 'which' },
    force: { description: 'also end what has left its terminal (daemons that a session started)' },
    ...jsonOption,
  },
  notes: ['What is still running afterwards is named.'],
  examples: [
    ['repartee close py', ''],
    ['repartee close --all --force', 'everything, and all that it started'],
  ],
  async run({ values, words }) {
    if (values.all === words.length > 0)
      throw new UsageError('Name the sessions to close, or say --all.');
    const options = ifDefined('force', values.force || undefined);
    const survivors: CloseResult['survivors'] = [];
    let names: readonly string[] = words;
    if (values.all) {
      await withRunningDaemon(async (sessions) => {
        names = (await sessions.list()).map(({ session }) => session);
        survivors.push(...(await sessions.closeAll(options)).survivors);
      });
      if (words === names) names = [];
    } else {
      await withDaemonOfSession(words.find(isOnHost) ?? words[0]!, async (sessions) => {
        const existing = new Set((await sessions.list()).map(({ session }) => session));
        names = [...new Set(words)];
        // Unknown names come first, so that the error is thrown before anything is closed.
        const order = names.toSorted((a, b) => Number(existing.has(a)) - Number(existing.has(b)));
        for (const name of order)
          survivors.push(...(await sessions.close(name, options)).survivors);
      });
    }
    if (values.json) printJson(toJsonCloseResult(names, { survivors }));
    else printClosed(names, survivors);
    return 0;
  },
});

const printClosed = (names: readonly string[], survivors: CloseResult['survivors']): void => {
  const running = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
  const rest = running === '' ? '' : `; still running: ${running}; --force ends that too`;
  printRemark(
    names.length === 0 ? '[there was nothing to close]' : `[closed: ${names.join(', ')}${rest}]`,
  );
};
