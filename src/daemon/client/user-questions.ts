/** Puts the daemon's questions to the users of those who have made the calls, and sends their answers. */
import type { AskUser, UserAnswer } from '../../session/input/approval.ts';
import type { DaemonNotifications } from '../protocol/protocol.ts';

export class UserQuestions {
  readonly #sendAnswer: (id: number, answer: UserAnswer) => Promise<unknown>;
  /** By the token of the call. */
  readonly #askUser = new Map<number, AskUser>();
  /** The questions that wait, with what withdraws them. */
  readonly #waiting = new Map<number, AbortController>();

  constructor(sendAnswer: (id: number, answer: UserAnswer) => Promise<unknown>) {
    this.#sendAnswer = sendAnswer;
  }

  /** For as long as the call lasts. */
  add(token: number, askUser: AskUser): void {
    this.#askUser.set(token, askUser);
  }

  delete(token: number): void {
    this.#askUser.delete(token);
  }

  onQuestion({ token, question }: DaemonNotifications['question']): void {
    const askUser = this.#askUser.get(token);
    if (askUser === undefined || this.#waiting.has(question.id)) return;
    const waiting = new AbortController();
    this.#waiting.set(question.id, waiting);
    askUser(question, waiting.signal)
      .then((answer) => answer !== undefined && this.#sendAnswer(question.id, answer))
      // Not asked, or answered elsewhere meanwhile. Who is asked at a terminal can still answer.
      .catch(() => {})
      .finally(() => this.#waiting.delete(question.id));
  }

  onAnswered({ id }: DaemonNotifications['answered']): void {
    this.#waiting.get(id)?.abort(new Error('it was answered elsewhere'));
  }

  withdrawAll(): void {
    for (const waiting of this.#waiting.values())
      waiting.abort(new Error('the connection is lost'));
  }
}
