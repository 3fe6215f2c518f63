import { sizeRules } from '../../daemon/protocol/protocol.ts';
import { isOnHost } from '../../hosts/session-address.ts';
import { defineCommand } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { parseSessionName, UsageError } from '../parse-args.ts';
import { printOtherDaemonsThan, withLocalDaemonOf } from '../with-daemon.ts';

export const attachCommand = defineCommand({
  name: 'attach',
  summary: 'see and use a session in this terminal, as if it had been started here',
  words: [{ usage: 'NAME', sessions: true }],
  options: {
    'read-only': {
      group: 'keyboard',
      description: 'look on: nothing is typed, and the size stays as it is',
    },
    take: {
      group: 'keyboard',
      description: 'hold the keyboard: agents cannot type until it is given back',
    },
    size: {
      value: 'R',
      choices: sizeRules,
      description:
        'if several are attached: latest, the window last used (default), or smallest, what fits into all',
    },
    'no-status': {
      description: 'begin without the status line: the session has the whole window',
    },
    clipboard: { description: 'let the program set the clipboard of this terminal (OSC 52)' },
    json: { description: 'at the end, print how it ended as one JSON object' },
  },
  notes: [
    'Ctrl-\\ d detaches, and the session goes on. Ctrl-\\ t takes the keyboard or gives it back.',
    'Ctrl-\\ s hides the status line, or shows it again.',
    'Ctrl-\\ twice types it once; before any other key it is ignored. With --read-only, q and Ctrl-C detach as well.',
    'Exit codes: 0 detached, or it exited meanwhile; 4 it had exited before.',
  ],
  examples: [
    ['repartee attach vim', ''],
    ['repartee attach deploy --take', 'answer a question yourself while the agent waits'],
    ['repartee attach build --read-only', "look over the agent's shoulder"],
  ],
  async run({ values, words }) {
    const session = parseSessionName(words, 'For example: repartee attach vim');
    const { take, 'read-only': readOnly, size, clipboard, 'no-status': noStatus } = values;
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new UsageError(
        `This is no terminal to attach it to. \`repartee read ${session} --screen\` shows its screen, \`repartee send ${session}\` types.`,
      );
    const { attachTerminal } = await import('../attach/attachment.ts');
    // Through `withSession`, so that a session lost with a killed daemon is reported as lost.
    const caller = isOnHost(session)
      ? undefined
      : await withLocalDaemonOf(session, async (sessions) => {
          await printOtherDaemonsThan(sessions);
          return sessions.caller();
        });
    if (caller?.inside?.session === session)
      throw new UsageError(
        `This terminal is session "${session}" itself: it would show what it shows, without end.`,
      );
    const status = !noStatus;
    const ending = await attachTerminal(session, { take, readOnly, size, clipboard, status });
    const { exitCode, reason, message } = ending;
    if (values.json) printJson({ session: ending.session, ended: reason });
    else printRemark(`[${ending.session}: ${message}]`);
    return exitCode;
  },
});
