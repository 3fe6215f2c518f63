import { defineCommand, jsonOption } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

const EXAMPLE = 'For example: repartee signal make INT';

export const signalCommand = defineCommand({
  name: 'signal',
  summary: "send a signal to the program in a session's foreground",
  words: [{ usage: 'NAME', sessions: true }, { usage: 'SIG' }],
  options: jsonOption,
  notes: ['A key is often better: `repartee send NAME --keys C-c` is what a person would press.'],
  examples: [
    ['repartee signal make INT', 'interrupts what runs in the foreground'],
    ['repartee signal server HUP', ''],
  ],
  async run({ values, words: [session, signal, ...more] }) {
    if (session === undefined || signal === undefined || more.length > 0)
      throw new UsageError(`Give a session and a signal. ${EXAMPLE}`);
    await withDaemonOfSession(session, (sessions) => sessions.signal(session, signal));
    if (values.json) printJson({ session, signal });
    else printRemark(`[${session}: sent ${signal}]`);
    return 0;
  },
});
