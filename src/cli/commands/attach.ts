import { sizeRules } from '../../daemon/protocol/protocol.ts';
import type { CliCommand } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { parseOptions, parseSessionName, UsageError } from '../parse-args.ts';
import { withDaemonOfSession } from '../with-daemon.ts';

export const attachCommand: CliCommand = {
  name: 'attach',
  summary: 'see and use a session in this terminal, as if it had been started here',
  usage: 'NAME [--read-only] [--take] [--size R] [--json]',
  options: {
    '--read-only': 'look on: nothing is typed, and the size stays as it is',
    '--take': 'hold the keyboard: agents cannot type until it is given back',
    '--size R':
      'if several are attached: latest, the window last used (default), or smallest, what fits into all',
    '--json': 'at the end, print how it ended as one JSON object',
  },
  notes: [
    'Ctrl-\\ d detaches, and the session goes on. Ctrl-\\ t takes the keyboard or gives it back.',
    'Ctrl-\\ twice types it once. With --read-only, q and Ctrl-C detach as well.',
    'Exit codes: 0 detached, or it exited meanwhile; 4 it had exited before.',
  ],
  examples: [
    ['repartee attach vim', ''],
    ['repartee attach deploy --take', 'answer a question yourself while the agent waits'],
    ['repartee attach build --read-only', "look over the agent's shoulder"],
  ],
  async run(args) {
    const { values, positionals } = parseOptions({
      args: [...args],
      allowPositionals: true,
      options: {
        'read-only': { type: 'boolean', default: false },
        take: { type: 'boolean', default: false },
        size: { type: 'string' },
        json: { type: 'boolean', default: false },
      },
    });
    const session = parseSessionName(positionals, 'For example: repartee attach vim');
    const { take, 'read-only': readOnly } = values;
    if (take && readOnly)
      throw new UsageError('Give --take or --read-only, not both: reading needs no keyboard.');
    const size = sizeRules.find((rule) => rule === values.size);
    if (values.size !== undefined && size === undefined)
      throw new UsageError(`--size ${values.size}: say ${sizeRules.join(' or ')}.`);
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new UsageError(
        `This is no terminal to attach it to. \`repartee read ${session} --screen\` shows its screen, \`repartee send ${session}\` types.`,
      );
    const { attachTerminal } = await import('../attach/attachment.ts');
    // Through `withSession`, so that a session lost with a killed daemon is reported as lost.
    const caller = await withDaemonOfSession(session, (sessions) => sessions.caller());
    if (caller?.inside?.session === session)
      throw new UsageError(
        `This terminal is session "${session}" itself: it would show what it shows, without end.`,
      );
    const ending = await attachTerminal(session, { take, readOnly, size });
    const { exitCode, reason, message } = ending;
    if (values.json) printJson({ session: ending.session, ended: reason });
    else printRemark(`[${ending.session}: ${message}]`);
    return exitCode;
  },
};
