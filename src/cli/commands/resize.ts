import { type CliCommand, jsonOptionHelp } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { parseOptions, UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee resize vim 100x30';

export const resizeCommand: CliCommand = {
  name: 'resize',
  summary: "change the size of a session's terminal",
  usage: 'NAME COLSxROWS [--json]',
  options: jsonOptionHelp,
  examples: [['repartee resize vim 100x30', '100 columns, 30 rows']],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: { json: { type: 'boolean', default: false } },
    });
    const [session, size, ...more] = positionals;
    if (session === undefined || size === undefined || more.length > 0)
      throw new UsageError(`Give a session and a size. ${EXAMPLE}`);
    const [, cols, rows] = /^(\d+)x(\d+)$/i.exec(size)?.map(Number) ?? [];
    if (cols === undefined || rows === undefined)
      throw new UsageError(`A size is written COLSxROWS. ${EXAMPLE}`);
    await withDaemonOfSession(session, (sessions) => sessions.resize(session, cols, rows));
    if (values.json) printJson({ session, cols, rows });
    else printRemark(`[${session}: ${cols}x${rows}]`);
    return 0;
  },
};
