import { defineCommand, jsonOption } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

export const renameCommand = defineCommand({
  name: 'rename',
  summary: 'give a session another name',
  words: [{ usage: 'NAME', sessions: true }, { usage: 'NEW' }],
  options: jsonOption,
  notes: ['Who waits for it or is attached goes on. The files of its recording keep the old name.'],
  examples: [['repartee rename bash build', '']],
  async run({ values, words }) {
    const [session, to, ...more] = words;
    if (session === undefined || to === undefined || more.length > 0)
      throw new UsageError(
        'Give a session and its new name. For example: repartee rename bash build',
      );
    await withDaemonOfSession(session, (sessions) => sessions.rename(session, to));
    if (values.json) printJson({ session: to });
    else printRemark(`[${session} is now ${to}]`);
    return 0;
  },
});
