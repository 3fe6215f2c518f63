/**
 * One client, over all the connections that it makes one after another.
 *
 * A client that has said its id is expected back when its connection is lost without a goodbye. For a
 * moment its calls, subscriptions and keyboards stay as they are, only that nothing is read for it. Its
 * answers are kept for longer. A client without an id ends with its connection.
 */
import { type Caller, insideRenamed } from '../../../session/caller.ts';
import type { SessionEvent } from '../../../session/sessions.ts';
import { settleOnce } from '../../../session/wait/settle-once.ts';
import {
  type ClientIdentity,
  type DaemonNotifications,
  toWireEvent,
} from '../../protocol/protocol.ts';
import type { ClientConnection } from './client-connection.ts';
import { ClientQuestions } from './client-questions.ts';
import { KEPT_MS, type KeptAnswers } from './kept-answers.ts';
import { SentEvents } from './sent-events.ts';
import type { SubscriberQueue } from './subscriber-queue.ts';

/**
 * A client connects again at once, but the machine may be busy. If it was killed, what it held is free
 * after this time.
 */
export const RETURN_MS = 5000;

export interface ClientCallbacks {
  /** It is gone: its keyboards are to be given back, and its windows count no more. */
  onGone(client: Client): void;
  /** Nobody will ask for its answers any more. */
  onForgotten(client: Client): void;
}

export class Client {
  /** By which others know it: its id, or one that no client has in another process. */
  readonly key: string;
  /** Undefined if it has no id. */
  readonly answers: KeptAnswers | undefined;
  readonly subscribers = new Map<number, SubscriberQueue>();
  readonly questions = new ClientQuestions((name, params) => this.notify(name, params));
  /** As whom it has connected last. */
  caller: Caller | undefined;
  readonly #callbacks: ClientCallbacks;
  readonly #sentEvents = new SentEvents();
  /** Calls that wait until it is back. */
  readonly #onBack = new Set<() => void>();
  #connection: ClientConnection | undefined;
  #timer: NodeJS.Timeout | undefined;
  #awaySinceMs: number | undefined;
  #isLeaving = false;
  /**
   * Whether its subscriptions have lasted since it was told to begin anew. It has heard that if it asks
   * for something after its hello: the answer to that may have been lost.
   */
  #isContinued = false;

  constructor(key: string, answers: KeptAnswers | undefined, callbacks: ClientCallbacks) {
    this.key = key;
    this.answers = answers;
    this.#callbacks = callbacks;
  }

  /** Since when it has no connection. Undefined while it has one. */
  get awaySinceMs(): number | undefined {
    return this.#awaySinceMs;
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Returns whether its subscriptions go on, and it misses no event. */
  connect(
    connection: ClientConnection,
    { pending, lastEvent }: Omit<ClientIdentity, 'id'> = { pending: [], lastEvent: 0 },
  ): boolean {
    const before = this.#connection;
    this.#connection = connection;
    // It has noticed the loss before we have.
    before?.destroy('the client has connected again');
    clearTimeout(this.#timer);
    this.#awaySinceMs = undefined;
    this.#isLeaving = false;
    connection.onDrained.add(() => this.#catchUp());
    this.answers?.keepOnly(pending);
    const missed = this.#sentEvents.after(lastEvent);
    const isResumed = this.#isContinued && missed !== undefined;
    this.#isContinued = isResumed;
    if (!isResumed) this.#endSubscriptions();
    else for (const event of missed) connection.notify('event', event);
    this.questions.sendAgain();
    this.#catchUp();
    for (const resume of [...this.#onBack]) resume();
    return isResumed;
  }

  /** Called for each request after its hello. */
  onRequest(connection: ClientConnection): void {
    if (connection === this.#connection) this.#isContinued = true;
  }

  /** Called when a connection has ended. */
  disconnect(connection: ClientConnection): void {
    if (connection !== this.#connection) return;
    this.#connection = undefined;
    this.#awaySinceMs = performance.now();
    if (this.answers === undefined || this.#isLeaving) this.forget();
    else this.#timer = setTimeout(() => this.#end(), RETURN_MS).unref();
  }

  /** It has said that it will not come back. */
  leave(): void {
    this.#isLeaving = true;
  }

  forget(): void {
    this.#end();
    clearTimeout(this.#timer);
    this.#callbacks.onForgotten(this);
  }

  onSessionRenamed(from: string, to: string): void {
    this.caller = this.caller && insideRenamed(this.caller, from, to);
    this.answers?.onSessionRenamed(from, to);
  }

  isFull(): boolean {
    return this.#connection?.isFull() ?? this.#sentEvents.isFull;
  }

  sendEvent(subscription: number, event: SessionEvent): void {
    const plain = { subscription, event: toWireEvent(event) };
    const { queuedBytes } = this.#connection ?? {};
    this.notify('event', this.answers ? this.#sentEvents.add(plain, queuedBytes) : plain);
  }

  notify<N extends keyof DaemonNotifications>(name: N, params: DaemonNotifications[N]): void {
    this.#connection?.notify(name, params);
  }

  /** Undefined if it is connected. */
  untilConnected(signal: AbortSignal): Promise<void> | undefined {
    if (this.isConnected) return undefined;
    return settleOnce<void>(
      ({ resolve, onSettled }) => {
        const resume = () => resolve();
        this.#onBack.add(resume);
        onSettled(() => this.#onBack.delete(resume));
      },
      { signal },
    );
  }

  #catchUp(): void {
    for (const subscriber of this.subscribers.values()) subscriber.catchUp();
  }

  #endSubscriptions(): void {
    for (const subscriber of this.subscribers.values()) subscriber.end();
    this.subscribers.clear();
    this.#sentEvents.clear();
  }

  #end(): void {
    this.#isContinued = false;
    this.#endSubscriptions();
    this.answers?.cutOff();
    this.#callbacks.onGone(this);
    this.#timer = setTimeout(() => this.forget(), KEPT_MS).unref();
  }
}
