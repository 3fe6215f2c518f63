import { defineCommand, jsonOption } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee resize vim 100x30';

export const resizeCommand = defineCommand({
  name: 'resize',
  summary: "change the size of a session's terminal",
  words: [{ usage: 'NAME', sessions: true }, { usage: 'COLSxROWS' }],
  options: jsonOption,
  examples: [['repartee resize vim 100x30', '100 columns, 30 rows']],
  async run({ values, words: [session, size, ...more] }) {
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
});
