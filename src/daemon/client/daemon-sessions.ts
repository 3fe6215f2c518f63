/**
 * `Sessions` that live in the daemon.
 *
 * The daemon keeps the sessions, the readers' positions and the screens, so a new client continues
 * where a killed one stopped. Folder, environment and defaults are the caller's and are sent with each
 * request. If the connection is lost, calls and subscriptions go on with a new one, and the next call
 * starts a new daemon if necessary.
 */
import { TooManySubscribers } from '../../errors.ts';
import type { Caller, CallerClaim } from '../../session/caller.ts';
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
import type { Size } from '../../system/terminal/pty-device.ts';
import type { CloseOptions, CloseResult } from '../../system/terminal/terminal.ts';
import type { OutsideInput, OutsideInputAnswer } from '../protocol/gated-input.ts';
import { asPlainBytes } from '../protocol/json-with-bytes.ts';
import {
  type DaemonMethod,
  fromWireEvent,
  MAX_SUBSCRIBERS,
  type MethodParams,
  type MethodResult,
  type SizeRule,
  type SubscriptionFilter,
} from '../protocol/protocol.ts';
import type { ConnectOptions, FarOrigin } from './connect.ts';
import { ResumingConnection } from './resuming-connection.ts';

/** The sessions of the user's daemon, which is started if it is not running. */
export const connectDaemon = async (options: ConnectOptions = {}): Promise<DaemonSessions> => {
  const sessions = new DaemonSessions(options);
  await sessions.connect();
  return sessions;
};

/** Loaded only to start a program: it takes 10 ms, which commands that only read should not spend. */
const loadRequests = () => import('../../session/options/requests.ts');

/** Adds the caller's umask. Without it, the program would inherit the umask of the daemon. */
const withUmask = (request: OpenRequest, umask = ownUmask()): OpenRequest => {
  return umask === undefined ? request : { ...request, umask };
};

/** The workspace is the folder in which this process was when it began, unless it names another one. */
const withOwnFolder = (caller: CallerClaim = { door: 'library' }): CallerClaim => {
  try {
    return { ...caller, sandbox: { workspace: process.cwd(), ...caller.sandbox } };
  } catch {
    // Its folder has been removed.
    return caller;
  }
};

interface Subscriber {
  listener: (event: SessionEvent) => void;
  filter: SubscriptionFilter;
  /** The sessions that it knows to be open. */
  open: Set<string>;
  /** Since which epoch of the connection it is subscribed. */
  epoch?: number;
  /** Ends the request with which it subscribes: on a new connection it may have to do so again. */
  subscribing?: AbortController;
}

export class DaemonSessions implements Sessions {
  readonly #secrets: SecretSource;
  readonly #origin: ConnectOptions['origin'];
  readonly #subscribers = new Map<number, Subscriber>();
  readonly #connection: ResumingConnection;
  #nextSubscription = 1;

  constructor(options: ConnectOptions) {
    this.#secrets = options.secrets ?? standardSecrets();
    this.#origin = options.origin;
    // The folder of this process means nothing elsewhere.
    const caller = options.origin ? options.caller : withOwnFolder(options.caller);
    this.#connection = new ResumingConnection({
      connect: { ...options, ...(caller && { caller }) },
      onEvent: ({ subscription, event }) =>
        deliver(this.#subscribers.get(subscription), this.#decodeEvent(event)),
      isListening: () => this.#subscribers.size > 0,
      onUnsubscribed: () => this.#subscribeAgain(),
      onLost: () => {
        for (const subscriber of this.#subscribers.values()) deliverClosed(subscriber);
      },
    });
  }

  async connect(): Promise<void> {
    await this.#connection.connect();
  }

  /** As whom the daemon knows this client. */
  async caller(): Promise<Caller | undefined> {
    return (await this.#connection.connect()).caller;
  }

  /** Which process keeps the sessions. */
  async daemonPid(): Promise<number> {
    return (await this.#connection.connect()).pid;
  }

  async open(options: OpenOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    const { openRequest } = await loadRequests();
    const origin = await this.#farOrigin();
    const request = withUmask(openRequest(options, origin), origin?.umask);
    return this.#withSecretNames(await this.#request('open', { request }, call));
  }

  async send(session: string, input: SendOptions, call: CallOptions = {}): Promise<SessionResult> {
    const { secret, ...rest } = input;
    const resolved =
      secret === undefined ? {} : { secret: await resolveSecret(secret, this.#secrets) };
    const params = { session, input: { ...rest, ...resolved } };
    return this.#withSecretNames(await this.#request('send', params, call));
  }

  async run(command: string, options: RunOptions = {}, call: CallOptions = {}): Promise<RunResult> {
    const { runRequest } = await loadRequests();
    const origin = await this.#farOrigin();
    const { open, ...rest } = runRequest(command, options, origin);
    const request = open === undefined ? rest : { ...rest, open: withUmask(open, origin?.umask) };
    return this.#withSecretNames(await this.#request('run', { request }, call));
  }

  async type(session: string, bytes: Uint8Array, call: CallOptions = {}): Promise<void> {
    await this.#request('type', { session, bytes: asPlainBytes(bytes) }, call);
  }

  async take(session: string, call: CallOptions = {}): Promise<void> {
    await this.#request('take', { session }, call);
  }

  async giveBack(session: string, call: CallOptions = {}): Promise<void> {
    await this.#request('giveBack', { session }, call);
  }

  async read(
    session: string,
    options: ReadOptions = {},
    call: CallOptions = {},
  ): Promise<SessionResult> {
    return this.#withSecretNames(await this.#request('read', { session, options }, call));
  }

  async wait(options: WaitOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    return this.#withSecretNames(await this.#request('wait', { options }, call));
  }

  async list(): Promise<SessionSummary[]> {
    return (await this.#request('list', {})).map((summary) => this.#withSecretNames(summary));
  }

  async resize(session: string, cols: number, rows: number): Promise<void> {
    await this.#request('resize', { session, cols, rows });
  }

  async rename(session: string, to: string): Promise<void> {
    await this.#request('rename', { session, to });
  }

  /** We show the session in a window of this size, until `detach` or we disconnect. @internal */
  async attach(session: string, { cols, rows }: Size, rule?: SizeRule): Promise<void> {
    await this.#request('attach', { session, cols, rows, ...(rule && { rule }) });
  }

  /** @internal */
  async detach(session: string): Promise<void> {
    await this.#request('detach', { session });
  }

  async signal(session: string, signal: string): Promise<void> {
    await this.#request('signal', { session, signal });
  }

  close(session: string, options: CloseOptions = {}): Promise<CloseResult> {
    return this.#request('close', { session, options });
  }

  closeAll(options: CloseOptions = {}): Promise<CloseResult> {
    return this.#request('closeAll', { options });
  }

  /** What waits for a person's answer. With `after`, when there is something new. @internal */
  approvals(after?: number): Promise<MethodResult<'approvals'>> {
    return this.#request('approvals', after === undefined ? {} : { after });
  }

  /** @internal */
  async answer(id: number, answer: string): Promise<void> {
    await this.#request('answer', { id, answer });
  }

  /** @internal */
  async switchPolicyOff(): Promise<void> {
    await this.#request('switchPolicyOff', {});
  }

  /** @internal */
  verifyAudit(): Promise<MethodResult<'verifyAudit'>> {
    return this.#request('verifyAudit', {});
  }

  /** The profile of the sandbox that sessions have at least. @internal */
  async leastSandbox(): Promise<string | undefined> {
    return (await this.#request('leastSandbox', {})).profile;
  }

  /** Before a program of a session in this process is started. @internal */
  async permitOpen(opening: MethodParams<'permitOpen'>, call: CallOptions): Promise<void> {
    await this.#request('permitOpen', opening, call);
  }

  /** Before anything is typed into a session in this process. @internal */
  permitInput(input: OutsideInput, call: CallOptions): Promise<OutsideInputAnswer> {
    return this.#request('permitInput', { input }, call);
  }

  /**
   * If the session does not exist, or the daemon has ended, the listener gets `closed`. Throws
   * TooManySubscribers at the limit.
   */
  subscribe(
    listener: (event: SessionEvent) => void,
    session?: string,
    types?: SubscriptionFilter['types'],
  ): () => void {
    // The daemon checks this too, but its error would come after this call has returned.
    if (this.#subscribers.size >= MAX_SUBSCRIBERS) throw new TooManySubscribers(MAX_SUBSCRIBERS);
    const id = this.#nextSubscription++;
    const open = new Set(session === undefined ? [] : [session]);
    const filter = { ...(session !== undefined && { session }), ...(types && { types }) };
    const subscriber: Subscriber = { listener, filter, open };
    this.#subscribers.set(id, subscriber);
    if (this.#connection.isConnected) this.#subscribe(id, subscriber);
    else
      this.#connection.connect().then(
        () => this.#subscribe(id, subscriber),
        () => deliverClosed(subscriber),
      );
    return () => {
      this.#subscribers.delete(id);
      if (!this.#connection.isActive) return;
      this.#request('unsubscribe', { subscription: id }).catch(
        // The connection has ended, and so has the subscription.
        () => {},
      );
    };
  }

  /** Closes the connection. The sessions stay open in the daemon. */
  async [Symbol.asyncDispose](): Promise<void> {
    this.#subscribers.clear();
    await this.#connection.close();
  }

  #request<M extends DaemonMethod>(
    method: M,
    params: MethodParams<M>,
    call?: CallOptions,
  ): Promise<MethodResult<M>> {
    return this.#connection.request(method, params, call);
  }

  async #farOrigin(): Promise<FarOrigin | undefined> {
    if (this.#origin === undefined) return undefined;
    await this.#connection.connect();
    return this.#origin();
  }

  /** Added here, since only the caller knows its secrets. The daemon gets just those it must type. */
  #withSecretNames<S extends SessionState>(state: S): S {
    if (state.waitingFor !== 'secret') return state;
    const secrets = this.#secrets.names(state.foreground);
    return secrets.length > 0 ? { ...state, secrets } : state;
  }

  #decodeEvent(wireEvent: SessionEvent): SessionEvent {
    const event = fromWireEvent(wireEvent);
    if (event.type !== 'state') return event;
    return { ...event, situation: this.#withSecretNames(event.situation) };
  }

  /** The daemon does not know these subscriptions, and their sessions may be others. */
  #subscribeAgain(): void {
    for (const [id, subscriber] of this.#subscribers) {
      if (subscriber.epoch !== undefined) deliverClosed(subscriber);
      this.#subscribe(id, subscriber);
    }
  }

  #subscribe(subscription: number, subscriber: Subscriber): void {
    const { epoch } = this.#connection;
    if (subscriber.epoch === epoch || !this.#subscribers.has(subscription)) return;
    subscriber.epoch = epoch;
    subscriber.subscribing?.abort();
    const subscribing = new AbortController();
    subscriber.subscribing = subscribing;
    const { signal } = subscribing;
    this.#request('subscribe', { subscription, ...subscriber.filter }, { signal }).catch(() => {
      if (!signal.aborted) deliverClosed(subscriber);
    });
  }
}

const deliver = (subscriber: Subscriber | undefined, event: SessionEvent): void => {
  if (subscriber === undefined) return;
  const { open, filter, listener } = subscriber;
  if (event.type === 'closed') open.delete(event.session);
  // Not only `opened`: its filter may leave that out.
  else if (event.type !== 'renamed') open.add(event.session);
  else {
    if (open.delete(event.session)) open.add(event.to);
    if (filter.session === event.session) filter.session = event.to;
    // The daemon sends it to every subscriber.
    if (filter.types?.includes('renamed') === false) return;
  }
  notifyListener(listener, event);
};

const deliverClosed = (subscriber: Subscriber): void => {
  if (subscriber.filter.types?.includes('closed') === false) return;
  for (const session of subscriber.open) deliver(subscriber, { session, type: 'closed' });
};
