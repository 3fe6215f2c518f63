/**
 * A connection to the daemon that is made again when it is lost.
 *
 * What was asked is asked again with the same id, and the daemon answers it once. That works with the
 * same daemon alone: if another one has taken its place, the requests fail with DaemonLost.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { DaemonLost } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { settleOnce } from '../../session/wait/settle-once.ts';
import type { DaemonMethod, MethodParams, MethodResult } from '../protocol/protocol.ts';
import { RequestIds } from '../protocol/request-ids.ts';
import {
  type ConnectOptions,
  type GreetedConnection,
  openDaemonConnection,
  type ReturningClient,
} from './connect.ts';
import type { OnDaemonEvent } from './daemon-connection.ts';

/**
 * It gives up when so many connections in a row were lost before an answer came. Counted, since on a busy
 * machine few are made in a given time. Otherwise this takes about 20 seconds.
 */
const MAX_LOST_IN_A_ROW = 100;
/** The first connection is made again at once. If none lasts until an answer comes, the pauses grow. */
const PAUSE_STEP_MS = 10;
const MAX_PAUSE_MS = 200;
/** A connection that lasted longer was not lost at once. */
const STABLE_MS = 1000;

export interface ResumingConnectionOptions {
  connect: ConnectOptions;
  onEvent: OnDaemonEvent;
  /** Whether it must be connected also while nothing is asked. */
  isListening(): boolean;
  /** The daemon has no subscriptions of this client: it is another one, or it has forgotten them. */
  onUnsubscribed(): void;
  /** The connection is lost, and could not be made again. */
  onLost(): void;
}

export class ResumingConnection {
  readonly #options: ResumingConnectionOptions;
  readonly #ids = new RequestIds();
  readonly #clientId = randomUUID();
  #epoch = 0;
  #lastEvent = 0;
  #greeted: Promise<GreetedConnection> | undefined;
  /** The same once it is there, so that requests are sent in the order in which they are made. */
  #current: GreetedConnection | undefined;
  /** While a lost connection is being made again. Undefined if that was in vain. */
  #resuming: Promise<GreetedConnection | undefined> | undefined;
  readonly #closing = new AbortController();
  /** How many connections were lost since an answer came. */
  #lostInARow = 0;

  constructor(options: ResumingConnectionOptions) {
    this.#options = options;
  }

  /** Returns what the daemon has said to our hello. */
  async connect(): Promise<MethodResult<'hello'>> {
    return (await this.#connected()).hello;
  }

  /** Counts the times that subscriptions had to begin anew. */
  get epoch(): number {
    return this.#epoch;
  }

  get isConnected(): boolean {
    return this.#current !== undefined;
  }

  /** Whether there is a connection, or one that is being made. */
  get isActive(): boolean {
    return (this.#greeted ?? this.#resuming) !== undefined;
  }

  async request<M extends DaemonMethod>(
    method: M,
    params: MethodParams<M>,
    call: CallOptions = {},
  ): Promise<MethodResult<M>> {
    let { connection, hello } = this.#current ?? (await this.#connected());
    // Only now: the daemon knows no id from before its first hello.
    const id = this.#ids.take();
    try {
      while (true) {
        try {
          const result = await connection.request(method, params, call, id);
          this.#lostInARow = 0;
          return result;
        } catch (error) {
          if (!(error instanceof DaemonLost)) throw error;
          const resumed = await untilAborted(this.#resuming, call.signal);
          const isSame = hello.daemon !== undefined && resumed?.hello.daemon === hello.daemon;
          if (!isSame) throw error;
          ({ connection, hello } = resumed!);
        }
      }
    } finally {
      this.#ids.settle(id);
    }
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the client is done'));
    const greeted = this.#greeted ?? this.#resuming;
    this.#greeted = undefined;
    this.#current = undefined;
    await (await greeted?.catch(() => undefined))?.connection.close();
  }

  async #connected(): Promise<GreetedConnection> {
    if (this.#resuming !== undefined) await this.#resuming;
    this.#greeted ??= this.#open(this.#options.connect).catch((error) => {
      this.#greeted = undefined;
      throw error;
    });
    return this.#greeted;
  }

  async #open(options: ConnectOptions): Promise<GreetedConnection> {
    let announced: readonly number[] = [];
    const client: ReturningClient = {
      ids: this.#ids,
      signal: this.#closing.signal,
      identify: () => {
        announced = this.#ids.unanswered;
        return { id: this.#clientId, pending: announced, lastEvent: this.#lastEvent };
      },
      onEvent: (event) => {
        if (event.number !== undefined) this.#lastEvent = event.number;
        this.#options.onEvent(event);
      },
    };
    const greeted = await openDaemonConnection(options, client);
    const { connection, hello } = greeted;
    const openedMs = performance.now();
    this.#current = greeted;
    connection.onClosed(() => this.#onClosed(greeted, performance.now() - openedMs));
    // Their callers have given up since hello was sent.
    const unanswered = new Set(this.#ids.unanswered);
    for (const id of announced) if (!unanswered.has(id)) connection.cancel(id);
    if (!hello.resumed) {
      this.#epoch++;
      this.#options.onUnsubscribed();
    }
    return greeted;
  }

  #onClosed(lost: GreetedConnection, lastedMs: number): void {
    this.#greeted = undefined;
    this.#current = undefined;
    if (this.#closing.signal.aborted) return;
    const isNeeded = this.#ids.unanswered.length > 0 || this.#options.isListening();
    if (lastedMs > STABLE_MS) this.#lostInARow = 0;
    const pauseMs = Math.min(MAX_PAUSE_MS, this.#lostInARow * PAUSE_STEP_MS);
    this.#lostInARow++;
    const canResume = lost.hello.daemon !== undefined && !lost.connection.isSilent;
    if (isNeeded && canResume && this.#lostInARow <= MAX_LOST_IN_A_ROW)
      this.#resuming = this.#resume(lost, pauseMs);
    else {
      this.#lostInARow = 0;
      this.#options.onLost();
    }
  }

  async #resume(
    { connection }: GreetedConnection,
    pauseMs: number,
  ): Promise<GreetedConnection | undefined> {
    // No daemon is started: a new one could not answer what the old one was asked.
    const options = { ...this.#options.connect, start: false, formats: [connection.format] };
    try {
      await delay(pauseMs, undefined, { signal: this.#closing.signal });
      const greeted = await this.#open(options);
      this.#greeted = Promise.resolve(greeted);
      return greeted;
    } catch {
      // The requests that wait for it fail with DaemonLost, which says more.
      if (!this.#closing.signal.aborted) this.#options.onLost();
      return undefined;
    } finally {
      this.#resuming = undefined;
    }
  }
}

const untilAborted = <T>(promise: Promise<T> | undefined, signal?: AbortSignal) =>
  settleOnce<T | undefined>(
    ({ resolve, reject }) => {
      // Not `resolve(promise)`: that would settle at once, and the signal would count no more.
      if (promise === undefined) resolve(undefined);
      else promise.then(resolve, reject);
    },
    { signal },
  );
