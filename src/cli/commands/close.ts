import { toJsonCloseResult } from '../../dialects/native/results.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import type { CloseResult } from '../../system/terminal/terminal.ts';
import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { parseOptions, UsageError } from '../parse-args.ts';
import { withDaemonOfSession, withRunningDaemon } from '../with-daemon.ts';

export const closeCommand: CliCommand = {
  name: 'close',
  summary: 'end sessions and all that runs on their terminals',
  usage: 'NAME…|--all [--force] [--json]',
  options: {
    '--all': 'every session',
    '--force': 'also end what has left its terminal (daemons that a session started)',
    ...jsonOptionHelp,
  },
  notes: ['What is still running afterwards is named.'],
  examples: [
    ['repartee close py', ''],
    ['repartee close --all --force', 'everything, and all that it started'],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: {
        all: { type: 'boolean', default: false },
        force: { type: 'boolean', default: false },
        json: { type: 'boolean', default: false },
      },
    });
    if (values.all === positionals.length > 0)
      throw new UsageError('Name the sessions to close, or say --all.');
    const options = ifDefined('force', values.force || undefined);
    const survivors: CloseResult['survivors'] = [];
    let names: readonly string[] = positionals;
    if (values.all) {
      await withRunningDaemon(async (sessions) => {
        names = (await sessions.list()).map(({ session }) => session);
        survivors.push(...(await sessions.closeAll(options)).survivors);
      });
      if (positionals === names) names = [];
    } else {
      await withDaemonOfSession(positionals[0]!, async (sessions) => {
        const existing = new Set((await sessions.list()).map(({ session }) => session));
        names = [...new Set(positionals)];
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
};

const printClosed = (names: readonly string[], survivors: CloseResult['survivors']): void => {
  const running = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
  const rest = running === '' ? '' : `; still running: ${running}; --force ends that too`;
  printRemark(
    names.length === 0 ? '[there was nothing to close]' : `[closed: ${names.join(', ')}${rest}]`,
  );
};
