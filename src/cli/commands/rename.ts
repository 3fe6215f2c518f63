import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { parseOptions, UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

export const renameCommand: CliCommand = {
  name: 'rename',
  summary: 'give a session another name',
  usage: 'NAME NEW [--json]',
  options: jsonOptionHelp,
  notes: ['Who waits for it or is attached goes on. Its recording keeps the old name.'],
  examples: [['repartee rename bash build', '']],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [session, to, ...more] = positionals;
    if (session === undefined || to === undefined || more.length > 0)
      throw new UsageError(
        'Give a session and its new name. For example: repartee rename bash build',
      );
    await withDaemonOfSession(session, (sessions) => sessions.rename(session, to));
    if (values.json) printJson({ session: to });
    else printRemark(`[${session} is now ${to}]`);
    return 0;
  },
};
