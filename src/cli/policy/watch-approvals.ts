/** Shows one question after another on a person's terminal, and sends the answers, until the person ends it. */
import { createInterface, type Interface } from 'node:readline';
import type { DaemonSessions } from '../../daemon/client/daemon-sessions.ts';
import { DaemonLost, TerminalError } from '../../errors.ts';
import type { ApprovalAnswer, ApprovalRequest } from '../../session/input/approval.ts';
import { describeApproval } from '../../session/input/describe-approval.ts';
import { printRemark, printText } from '../output/print-result.ts';

/** A person who was about to answer a question that has gone notices by then that there is another one. */
const NOTICED_MS = 1000;
/** For the prompt, and the empty line before the question. */
const OTHER_ROWS = 3;

export const watchApprovals = async (sessions: DaemonSessions): Promise<void> => {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise<undefined>((resolve) =>
    terminal.once('close', () => resolve(undefined)),
  );
  const questions = new ShownQuestions(sessions, terminal);
  terminal.on('line', (line) => void questions.onLine(line));
  printRemark('[waiting for questions; Ctrl-C ends it]');
  let after: number | undefined;
  for (;;) {
    const seen = await Promise.race([nextQuestions(sessions, after), ended]);
    // Ctrl-C leaves the cursor after what was typed.
    if (seen === undefined) return printText('\n');
    after = seen.version;
    questions.show(seen.waiting);
  }
};

/** Those of the next daemon, if this one is lost: a person who watches goes on watching. */
const nextQuestions = async (sessions: DaemonSessions, after: number | undefined) => {
  try {
    return await sessions.approvals(after);
  } catch (error) {
    if (!(error instanceof DaemonLost)) throw error;
    return sessions.approvals();
  }
};

class ShownQuestions {
  readonly #sessions: DaemonSessions;
  readonly #terminal: Interface;
  #shown: ApprovalRequest | undefined;
  /** Until then a line may have been meant for the question before. */
  #takesLinesMs = 0;

  constructor(sessions: DaemonSessions, terminal: Interface) {
    this.#sessions = sessions;
    this.#terminal = terminal;
  }

  show(waiting: readonly ApprovalRequest[]): void {
    const isGone = this.#shown !== undefined && waiting.every(({ id }) => id !== this.#shown?.id);
    if (isGone) {
      printRemark('\n[that question no longer waits for an answer]');
      this.#shown = undefined;
      this.#takesLinesMs = performance.now() + NOTICED_MS;
      // What was typed for it answers nothing else.
      this.#terminal.setPrompt('');
      this.#terminal.write(null, { ctrl: true, name: 'e' });
      this.#terminal.write(null, { ctrl: true, name: 'u' });
    }
    const [next] = waiting;
    if (this.#shown !== undefined || next === undefined) return;
    this.#shown = next;
    const { rows = Number.POSITIVE_INFINITY, columns: cols } = process.stdout;
    const size = { rows: rows - OTHER_ROWS, ...(cols > 0 && { cols }) };
    printText(`\n${describeApproval(next, size)}`);
    this.#terminal.setPrompt(`${next.answers.join(', ')}? `);
    this.#terminal.prompt();
  }

  async onLine(line: string): Promise<void> {
    if (this.#shown === undefined) return;
    const { id, answers } = this.#shown;
    const answer = answerIn(line, answers);
    const isEarly = performance.now() < this.#takesLinesMs;
    if (answer === undefined || isEarly) {
      if (line.trim() !== '')
        printRemark(
          isEarly
            ? '[this is another question: answer again]'
            : `[say one of: ${answers.join(', ')}]`,
        );
      this.#terminal.prompt();
      return;
    }
    this.#shown = undefined;
    try {
      await this.#sessions.answer(id, answer);
    } catch (error) {
      // Somebody else was faster, or the question has gone.
      if (!(error instanceof TerminalError)) throw error;
      printRemark(`[${error.message}]`);
    }
  }
}

/** A word, or as much of it as no other answer begins with. */
export const answerIn = (
  line: string,
  answers: readonly ApprovalAnswer[],
): ApprovalAnswer | undefined => {
  const typed = line.trim().toLowerCase();
  if (typed === '') return undefined;
  const [answer, ...others] = answers.filter((each) => each.startsWith(typed));
  return others.length === 0 ? answer : undefined;
};
