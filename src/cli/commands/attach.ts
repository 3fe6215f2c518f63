import { isInsideSession } from '../attach/inside-session.ts';
import type { Command } from '../command.ts';
import { printJson, printRemark } from '../output/print-result.ts';
import { oneSession, parseOptions, UsageError } from '../parse-args.ts';
import { withSession } from '../with-daemon.ts';

export const attachCommand: Command = {
  name: 'attach',
  summary: 'see and use a session in this terminal, as if it had been started here',
  usage: 'NAME [--read-only] [--take] [--json]',
  options: {
    '--read-only': 'look on: nothing is typed, and the size stays as it is',
    '--take': 'hold the keyboard: agents cannot type until it is given back',
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
        json: { type: 'boolean', default: false },
      },
    });
    const session = oneSession(positionals, 'For example: repartee attach vim');
    const { take, 'read-only': readOnly } = values;
    if (take && readOnly)
      throw new UsageError('Whoever only reads needs no keyboard: --take or --read-only.');
    if (!process.stdin.isTTY || !process.stdout.isTTY)
      throw new UsageError(
        `This is no terminal to attach it to. \`repartee read ${session} --screen\` shows its screen, \`repartee send ${session}\` types.`,
      );
    const { attach } = await import('../attach/attachment.ts');
    // A daemon that is gone is told from one that never was: see door.ts.
    const summaries = await withSession(session, (sessions) => sessions.list());
    const itself = summaries.find((summary) => summary.session === session);
    if (itself !== undefined && isInsideSession(itself.pid))
      throw new UsageError(
        `This terminal is session "${session}" itself: it would show what it shows, without end.`,
      );
    const { code, how, says } = await attach(session, { take, readOnly });
    if (values.json) printJson({ session, ended: how });
    else printRemark(`[${session}: ${says}]`);
    return code;
  },
};
