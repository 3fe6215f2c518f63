/** Questions that one client was sent for its user. It can answer these, and no others. */
import { UnusableArgument } from '../../../errors.ts';
import {
  type ApprovalRequest,
  approvalAnswers,
  type UserAnswer,
} from '../../../session/input/approval.ts';
import { settleOnce } from '../../../session/wait/settle-once.ts';
import type { DaemonNotifications } from '../../protocol/protocol.ts';

interface Waiting {
  sent: DaemonNotifications['question'];
  settle(answer: UserAnswer): void;
}

type Notify = <N extends 'question' | 'answered'>(name: N, params: DaemonNotifications[N]) => void;

export class ClientQuestions {
  readonly #notify: Notify;
  readonly #waiting = new Map<number, Waiting>();

  constructor(notify: Notify) {
    this.#notify = notify;
  }

  /** `token`: of the call that the question is about. */
  ask(token: number, question: ApprovalRequest, signal: AbortSignal): Promise<UserAnswer> {
    const { id } = question;
    return settleOnce<UserAnswer>(
      ({ resolve, onSettled }) => {
        const sent = { token, question };
        this.#waiting.set(id, { sent, settle: resolve });
        onSettled(() => {
          this.#waiting.delete(id);
          if (signal.aborted) this.#notify('answered', { id });
        });
        this.#notify('question', sent);
      },
      { signal },
    );
  }

  /** The client has a new connection, and may not have got them. */
  sendAgain(): void {
    for (const { sent } of this.#waiting.values()) this.#notify('question', sent);
  }

  answer(id: number, answer: string): void {
    const waiting = this.#waiting.get(id);
    if (waiting === undefined)
      throw new UnusableArgument('id', `no question with the number ${id} waits for your user`);
    const { answers } = waiting.sent.question;
    const given = approvalAnswers.find((each) => each === answer && answers.includes(each));
    if (given === undefined || given === 'rule')
      throw new UnusableArgument('answer', `it must be one of: ${answers.join(', ')}`);
    waiting.settle(given);
  }
}
