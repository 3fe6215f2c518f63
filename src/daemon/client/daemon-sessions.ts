/**
 * `Sessions` that live in the daemon.
 *
 * Sessions, readers' positions and screens are the daemon's: whoever comes after a client that was
 * killed goes on where it stopped. What is the caller's goes with each request: folder, environment,
 * defaults. Where the connection is lost, the next call makes another, to a new daemon if need be.
 */
import { TooManySubscribers } from '../../errors.ts';
import { notifyListener } from '../../session/notify-listener.ts';
import type {
  OpenOptions,
  ReadOptions,
  RunOptions,
  SendOptions,
  WaitOptions,
} from '../../session/options/options.ts';
import type { OpenRequest } from '../../session/options/requests.ts';
import { standardSecrets } from '../../session/secrets/secret-sources.ts';
import { resolveSecret, type SecretSource } from '../../session/secrets/secrets.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionResult,
  SessionState,
  SessionSummary,
  Sessions,
} from '../../session/sessions.ts';
import { ownUmask } from '../../system/proc/own-process.ts';
import type { CloseOptions, CloseResult } from '../../system/terminal/channel.ts';
import {
  base64,
  fromWire,
  type Method,
  type MethodParams,
  type MethodResult,
  MOST_SUBSCRIBERS,
  type WireEvent,
} from '../protocol/protocol.ts';
import type { SubscriptionFilter } from '../server/subscriber-queue.ts';
import { type ConnectOptions, connectToDaemon } from './connect.ts';
import type { DaemonConnection } from './daemon-connection.ts';

/** Sessions of the user's daemon, which is started where there is none. */
export const connectDaemon = async (options: ConnectOptions = {}): Promise<DaemonSessions> => {
  const sessions = new DaemonSessions(options);
  await sessions.connect();
  return sessions;
};

/** Loaded when a program is to be started: what shells are told costs a command that only looks 10 ms. */
const requests = () => import('../../session/options/requests.ts');

/** With what the daemon's process has of its own, and a program would inherit from it. */
const withOwnUmask = (request: OpenRequest): OpenRequest => {
  const umask = ownUmask();
  return umask === undefined ? request : { ...request, umask };
};

interface Subscriber {
  listener: (event: SessionEvent) => void;
  interest: SubscriptionFilter;
  /** The sessions it knows to be there. */
  open: Set<string>;
  /** Where it is subscribed. */
  link?: DaemonConnection;
}

export class DaemonSessions implements Sessions {
  readonly #options: ConnectOptions;
  readonly #secrets: SecretSource;
  readonly #subscribers = new Map<number, Subscriber>();
  #nextSubscription = 1;
  #connection: Promise<DaemonConnection> | undefined;

  constructor(options: ConnectOptions) {
    this.#options = options;
    this.#secrets = options.secrets ?? standardSecrets();
  }

  async connect(): Promise<void> {
    await this.#connected();
  }

  async open(options: OpenOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    const { openRequest } = await requests();
    const request = withOwnUmask(openRequest(options));
    return this.#offering(await this.#ask('open', { request }, call));
  }

  async send(session: string, input: SendOptions, call: CallOptions = {}): Promise<SessionResult> {
    const { secret, ...rest } = input;
    const found =
      secret === undefined ? {} : { secret: await resolveSecret(secret, this.#secrets) };
    const params = { session, input: { ...rest, ...found } };
    return this.#offering(await this.#ask('send', params, call));
  }

  async run(command: string, options: RunOptions = {}, call: CallOptions = {}): Promise<RunResult> {
    const { runRequest } = await requests();
    const { open, ...rest } = runRequest(command, options);
    const request = open === undefined ? rest : { ...rest, open: withOwnUmask(open) };
    return this.#offering(await this.#ask('run', { request }, call));
  }

  async type(session: string, bytes: Uint8Array, call: CallOptions = {}): Promise<void> {
    await this.#ask('type', { session, bytes: base64(bytes) }, call);
  }

  async take(session: string, call: CallOptions = {}): Promise<void> {
    await this.#ask('take', { session }, call);
  }

  async giveBack(session: string, call: CallOptions = {}): Promise<void> {
    await this.#ask('giveBack', { session }, call);
  }

  async read(
    session: string,
    options: ReadOptions = {},
    call: CallOptions = {},
  ): Promise<SessionResult> {
    return this.#offering(await this.#ask('read', { session, options }, call));
  }

  async wait(options: WaitOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    return this.#offering(await this.#ask('wait', { options }, call));
  }

  async list(): Promise<SessionSummary[]> {
    return (await this.#ask('list', {})).map((summary) => this.#offering(summary));
  }

  async resize(session: string, cols: number, rows: number): Promise<void> {
    await this.#ask('resize', { session, cols, rows });
  }

  async signal(session: string, signal: string): Promise<void> {
    await this.#ask('signal', { session, signal });
  }

  close(session: string, options: CloseOptions = {}): Promise<CloseResult> {
    return this.#ask('close', { session, options });
  }

  closeAll(options: CloseOptions = {}): Promise<CloseResult> {
    return this.#ask('closeAll', { options });
  }

  /**
   * Where there is no such session, or no daemon any more, its subscriber is told `closed`. Throws
   * where there are too many.
   */
  subscribe(
    listener: (event: SessionEvent) => void,
    session?: string,
    types?: SubscriptionFilter['types'],
  ): () => void {
    // The daemon would refuse it as well, when the caller is long gone.
    if (this.#subscribers.size >= MOST_SUBSCRIBERS) throw new TooManySubscribers(MOST_SUBSCRIBERS);
    const id = this.#nextSubscription++;
    const open = new Set(session === undefined ? [] : [session]);
    const interest = { ...(session !== undefined && { session }), ...(types && { types }) };
    const subscriber: Subscriber = { listener, interest, open };
    this.#subscribers.set(id, subscriber);
    this.#connected().then(
      (connection) => this.#subscribeOn(connection, id, subscriber),
      () => deliverClosed(subscriber),
    );
    return () => {
      this.#subscribers.delete(id);
      void this.#connection
        ?.then((connection) => connection.request('unsubscribe', { subscription: id }))
        .catch(
          // The connection has ended, and with it the subscription.
          () => {},
        );
    };
  }

  /** Leaves the sessions in the daemon. */
  async [Symbol.asyncDispose](): Promise<void> {
    const connection = this.#connection;
    this.#connection = undefined;
    this.#subscribers.clear();
    await (await connection?.catch(() => undefined))?.close();
  }

  async #ask<M extends Method>(
    method: M,
    params: MethodParams<M>,
    call?: CallOptions,
  ): Promise<MethodResult<M>> {
    const connection = await this.#connected();
    return connection.request(method, params, call);
  }

  /** Secrets are the caller's, by name too: the daemon knows of none but those it is to type. */
  #offering<S extends SessionState>(situation: S): S {
    if (situation.waitingFor !== 'secret') return situation;
    const secrets = this.#secrets.names(situation.foreground);
    return secrets.length > 0 ? { ...situation, secrets } : situation;
  }

  #eventOf(wire: WireEvent): SessionEvent {
    const event = fromWire(wire);
    if (event.type !== 'state') return event;
    return { ...event, situation: this.#offering(event.situation) };
  }

  #connected(): Promise<DaemonConnection> {
    this.#connection ??= this.#connect();
    return this.#connection;
  }

  async #connect(): Promise<DaemonConnection> {
    try {
      const connection = await connectToDaemon(this.#options);
      connection.onEvent(({ subscription, event }) =>
        deliver(this.#subscribers.get(subscription), this.#eventOf(event)),
      );
      connection.onClosed(() => {
        this.#connection = undefined;
        for (const subscriber of this.#subscribers.values()) deliverClosed(subscriber);
      });
      // Those of a connection that was lost.
      for (const [id, subscriber] of this.#subscribers)
        this.#subscribeOn(connection, id, subscriber);
      return connection;
    } catch (error) {
      this.#connection = undefined;
      throw error;
    }
  }

  #subscribeOn(connection: DaemonConnection, subscription: number, subscriber: Subscriber): void {
    if (subscriber.link === connection || !this.#subscribers.has(subscription)) return;
    subscriber.link = connection;
    connection
      .request('subscribe', { subscription, ...subscriber.interest })
      .catch(() => deliverClosed(subscriber));
  }
}

const deliver = (subscriber: Subscriber | undefined, event: SessionEvent): void => {
  if (event.type === 'opened') subscriber?.open.add(event.session);
  if (event.type === 'closed') subscriber?.open.delete(event.session);
  if (subscriber !== undefined) notifyListener(subscriber.listener, event);
};

const deliverClosed = (subscriber: Subscriber): void => {
  for (const session of subscriber.open) deliver(subscriber, { session, type: 'closed' });
};
