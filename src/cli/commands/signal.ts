import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { parseOptions, UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee signal make INT';

export const signalCommand: CliCommand = {
  name: 'signal',
  summary: "send a signal to the program in a session's foreground",
  usage: 'NAME SIG [--json]',
  options: jsonOptionHelp,
  notes: ['A key is often better: `repartee send NAME --keys C-c` is what a person would press.'],
  examples: [
    ['repartee signal make INT', 'interrupts what runs in the foreground'],
    ['repartee signal server HUP', ''],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [session, signal, ...more] = positionals;
    if (session === undefined || signal === undefined || more.length > 0)
      throw new UsageError(`Give a session and a signal. ${EXAMPLE}`);
    await withDaemonOfSession(session, (sessions) => sessions.signal(session, signal));
    if (values.json) printJson({ session, signal });
    else printRemark(`[${session}: sent ${signal}]`);
    return 0;
  },
};
