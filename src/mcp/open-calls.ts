/**
 * Calls of 2026 clients that go on while their user is asked something.
 *
 * Such a client gets the question as the result of its call, and makes the same call again with the answer.
 * Nothing is begun anew by that: the call is found by the state that the client got with the question.
 */
import { randomUUID } from 'node:crypto';
import {
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ApprovalRequest, AskUser, UserAnswer } from '../session/input/approval.ts';
import { settleOnce } from '../session/wait/settle-once.ts';
import { answerInForm, approvalForm } from './elicitation.ts';

/** The name of the question among what the client is asked. */
const APPROVAL = 'approval';
/** More than a person can have in front of them. Beyond it, questions wait for `repartee approvals`. */
const MAX_ASKING = 100;
/** How long the result waits for a client whose user has left the form open. */
const KEPT_MS = 10 * 60_000;

export type MakeCall = (call: { signal: AbortSignal; askUser: AskUser }) => Promise<CallToolResult>;

export class OpenCalls {
  readonly #asking = new Map<string, OpenCall>();

  /** Makes the call, or goes on with one whose user was asked. */
  async make(
    { signal, requestState, inputResponses }: ServerContext['mcpReq'],
    start: MakeCall,
  ): Promise<CallToolResult | InputRequiredResult> {
    const state = requestState<unknown>();
    const call = state === undefined ? new OpenCall(start) : this.#take(state);
    if (call === undefined) return forgotten;
    if (state !== undefined) call.answer(answerInForm(inputResponses?.[APPROVAL]));
    const question = await call.untilDoneOrAsking(signal);
    if (question === undefined) return call.result;
    if (this.#asking.size >= MAX_ASKING) return call.untilDone(signal);
    return inputRequired({
      inputRequests: { [APPROVAL]: inputRequired.elicit(approvalForm(question)) },
      requestState: this.#keep(call),
    });
  }

  #keep(call: OpenCall): string {
    // It cannot be guessed, so that nobody else gets the result.
    const state = randomUUID();
    this.#asking.set(state, call);
    setTimeout(() => this.#asking.delete(state), KEPT_MS).unref();
    return state;
  }

  #take(state: unknown): OpenCall | undefined {
    if (typeof state !== 'string') return undefined;
    const call = this.#asking.get(state);
    this.#asking.delete(state);
    return call;
  }
}

/** It is not made again: it may have been done. */
const forgotten: CallToolResult = {
  content: [
    {
      type: 'text',
      text: 'This call waited for an answer of the user, and is not known any more. Look whether it was done before you make it again.',
    },
  ],
  isError: true,
};

class OpenCall {
  readonly result: Promise<CallToolResult>;
  readonly #abort = new AbortController();
  /** What the user is asked, and what takes the answer. */
  #asked: { request: ApprovalRequest; settle(answer: UserAnswer | undefined): void } | undefined;
  #isShown = false;
  #onAsked = () => {};

  constructor(start: MakeCall) {
    const { signal } = this.#abort;
    this.result = start({ signal, askUser: (request, ended) => this.#ask(request, ended) });
    // Until the client is back, nobody waits for it.
    this.result.catch(() => {});
  }

  /** Undefined: the user has not decided, and can still do so elsewhere. */
  answer(answer: UserAnswer | undefined): void {
    if (this.#isShown) this.#asked?.settle(answer);
  }

  untilDone(signal: AbortSignal): Promise<CallToolResult> {
    return this.#unlessAborted(signal, ({ resolve, reject }) => {
      this.result.then(resolve, reject);
    });
  }

  /** Resolves with a question that the client has not got, or undefined when the call is done. */
  untilDoneOrAsking(signal: AbortSignal): Promise<ApprovalRequest | undefined> {
    return this.#unlessAborted<ApprovalRequest | undefined>(signal, ({ resolve }) => {
      this.#onAsked = () => {
        if (this.#asked === undefined || this.#isShown) return;
        this.#isShown = true;
        resolve(this.#asked.request);
      };
      this.#onAsked();
      const done = () => resolve(undefined);
      this.result.then(done, done);
    });
  }

  /** A client that gives up ends the wait of the call. */
  #unlessAborted<T>(signal: AbortSignal, start: Parameters<typeof settleOnce<T>>[0]): Promise<T> {
    return settleOnce<T>(
      (settling) => {
        settling.onSettled(() => {
          if (signal.aborted) this.#abort.abort(signal.reason);
        });
        start(settling);
      },
      { signal },
    );
  }

  #ask(request: ApprovalRequest, ended: AbortSignal): Promise<UserAnswer | undefined> {
    return settleOnce<UserAnswer | undefined>(
      ({ resolve, onSettled }) => {
        this.#asked = { request, settle: resolve };
        this.#isShown = false;
        onSettled(() => {
          this.#asked = undefined;
        });
        this.#onAsked();
      },
      { signal: ended },
    );
  }
}
