import { createInterface } from 'node:readline';
import type { DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import { TerminalError } from '../../errors.ts';
import { type ApprovalRequest, approvalAnswers } from '../../session/input/approval.ts';
import { describeApproval } from '../../session/input/describe-approval.ts';
import { defineCommand, jsonOption } from '../command.ts';
import { EXIT_DONE } from '../exit-codes.ts';
import { printJson, printRemark, printText } from '../output/print-result.ts';
import { UsageError } from '../parse-args.ts';
import { withStartedDaemon } from '../with-daemon.ts';

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
        await watch(sessions);
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

/** Shows one question after another until the person ends it. */
const watch = async (sessions: DaemonSessions): Promise<void> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) =>
    terminal.once('close', () => resolve(undefined)),
  );
  let shown: ApprovalRequest | undefined;
  terminal.on('line', async (line) => {
    if (shown === undefined) return;
    const answer = approvalAnswers.find((each) => line !== '' && each.startsWith(line.trim()));
    if (answer === undefined) {
      terminal.prompt();
      return;
    }
    const { id } = shown;
    shown = undefined;
    await sessions.answer(id, answer).catch((error: unknown) => {
      if (!(error instanceof TerminalError)) throw error;
      printRemark(`[${error.message}]`);
    });
  });
  printRemark('[waiting for questions; Ctrl-C ends it]');
  let after: number | undefined;
  for (;;) {
    const seen = await Promise.race([sessions.approvals(after), ended]);
    if (seen === undefined) return;
    after = seen.version;
    const { waiting } = seen;
    if (shown !== undefined && waiting.every(({ id }) => id !== shown?.id)) {
      printRemark('\n[that question no longer waits for an answer]');
      shown = undefined;
    }
    const [next] = waiting;
    if (shown !== undefined || next === undefined) continue;
    shown = next;
    printText(`\n${describeApproval(next)}`);
    terminal.setPrompt(`${next.answers.join(', ')}? `);
    terminal.prompt();
  }
};
