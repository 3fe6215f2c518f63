import type { DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import { describeApproval } from '../../session/input/describe-approval.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE } from '../exit-codes.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withStartedDaemon } from '../with-daemon.ts';
import { watchApprovals } from './watch-approvals.ts';

export const approvalsCommand = defineCommand({
  name: 'approvals',
  summary: 'see what agents ask to do, and answer them',
  words: [{ usage: '[ID ANSWER]' }],
  options: { list: { description: 'print what waits now, and end' }, ...jsonOption },
  notes: [
    'In a terminal it goes on until Ctrl-C, and shows each question as it comes. Without an answer a question is refused after 60 seconds.',
    'once: this time. session: also the same again in this session. rule: always, by a new rule in the policy. refuse: no.',
    'Only a person can answer, at a terminal that is none of our sessions.',
  ],
  examples: [
    ['repartee approvals', 'watch and answer'],
    ['repartee approvals 3 once', 'answer question 3'],
  ],
  async run({ values, words: [id, answer, ...more] }) {
    if (more.length > 0 || (id !== undefined) !== (answer !== undefined))
      throw new UsageError('Say `repartee approvals`, or `repartee approvals ID ANSWER`.');
    return withStartedDaemon(async (sessions) => {
      if (id !== undefined && answer !== undefined) await sessions.answer(Number(id), answer);
      else if (!values.list && !values.json && process.stdin.isTTY && process.stdout.isTTY)
        await watchApprovals(sessions);
      else await list(sessions, values.json);
      return EXIT_DONE;
    });
  },
});

const list = async (sessions: DaemonSessions, json: boolean): Promise<void> => {
  const { waiting } = await sessions.approvals();
  if (json) printJson({ approvals: waiting });
  else if (waiting.length === 0) printRemark('[nothing waits for an answer]');
  else for (const request of waiting) printText(describeApproval(request));
};
