/** What the daemon does for each request. */
import {
  DaemonEnding,
  OtherVersion,
  SessionLost,
  SessionNotFound,
  TooManySubscribers,
} from '../../errors.ts';
import type { LocalSessions } from '../../session/local-sessions.ts';
import { AGENT } from '../../session/options/options.ts';
import type { CallOptions, SessionEvent } from '../../session/sessions.ts';
import {
  type DaemonStatus,
  fromBase64,
  type Method,
  type MethodParams,
  type MethodResult,
  MOST_SUBSCRIBERS,
  PROTOCOL,
  toWire,
} from '../protocol/protocol.ts';
import { VERSION } from '../protocol/version.ts';
import type { ClientConnection } from './client-connection.ts';
import type { KeyboardHolders } from './keyboard-holders.ts';
import type { SessionJournal } from './session-journal.ts';
import { SubscriberQueue } from './subscriber-queue.ts';

/** What the daemon has for those who answer. */
export interface DaemonContext {
  sessions: LocalSessions;
  journal: SessionJournal;
  keyboardHolders: KeyboardHolders<ClientConnection>;
  readonly isEnding: boolean;
  status(): DaemonStatus;
  /** Whether the daemon is about to end: it does where nobody else needs it. */
  retire(asker: ClientConnection): boolean;
  stop(): Promise<string[]>;
  /** A connection has said who it is. Throws where there are too many. */
  admit(connection: ClientConnection): void;
}

/** Serves one connection, with what that has subscribed to. */
export class RequestHandler {
  readonly #daemon: DaemonContext;
  readonly #connection: ClientConnection;
  readonly #subscribers = new Map<number, SubscriberQueue>();

  constructor(daemon: DaemonContext, connection: ClientConnection) {
    this.#daemon = daemon;
    this.#connection = connection;
    connection.onDrained.add(() => {
      for (const subscriber of this.#subscribers.values()) subscriber.catchUp();
    });
  }

  async handle(method: Method, params: never, call: CallOptions): Promise<unknown> {
    if (!this.#connection.isGreeted && !anyVersionMethods.includes(method))
      throw new Error('Say hello first.');
    if (this.#daemon.isEnding && !anyVersionMethods.includes(method)) throw new DaemonEnding();
    try {
      return await this.#methods[method](params, call);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** The connection has ended, and with it what belongs to it. */
  close(): void {
    const { sessions, keyboardHolders: keyboards } = this.#daemon;
    for (const subscriber of this.#subscribers.values()) subscriber.end();
    for (const { session, actor } of keyboards.release(this.#connection)) {
      // Its session may just be closing.
      sessions.giveBack(session, { actor }).catch(() => {});
    }
  }

  readonly #methods: {
    [M in Method]: (params: MethodParams<M>, call: CallOptions) => Promise<MethodResult<M>>;
  } = {
    hello: async ({ protocol, version }) => {
      const daemon = this.#daemon;
      if (daemon.isEnding) throw new DaemonEnding();
      if (protocol !== PROTOCOL || version !== VERSION) {
        const { program, sessions } = daemon.status();
        const names = sessions.map(({ name }) => name);
        throw new OtherVersion(VERSION, version, program, names);
      }
      daemon.admit(this.#connection);
      return { version: VERSION, pid: process.pid, lost: daemon.journal.takeUnreported() };
    },
    status: async () => ({ ...this.#daemon.status(), lost: this.#daemon.journal.takeUnreported() }),
    retire: async () => ({ retired: this.#daemon.retire(this.#connection) }),
    stop: async () => ({ ended: await this.#daemon.stop() }),

    open: ({ request }, call) => this.#daemon.sessions.start(request, call),
    send: ({ session, input }, call) => this.#daemon.sessions.send(session, input, call),
    run: ({ request }, call) => this.#daemon.sessions.execute(request, call),
    type: async ({ session, bytes }, call) => {
      await this.#daemon.sessions.type(session, fromBase64(bytes), call);
      return null;
    },
    take: async ({ session }, call) => {
      await this.#daemon.sessions.take(session, call);
      this.#daemon.keyboardHolders.take(session, call.actor ?? AGENT, this.#connection);
      return null;
    },
    giveBack: async ({ session }, call) => {
      await this.#daemon.sessions.giveBack(session, call);
      return null;
    },
    read: ({ session, options }, call) => this.#daemon.sessions.read(session, options, call),
    wait: ({ options }, call) => this.#daemon.sessions.wait(options, call),
    list: () => this.#daemon.sessions.list(),
    resize: async ({ session, cols, rows }) => {
      await this.#daemon.sessions.resize(session, cols, rows);
      return null;
    },
    signal: async ({ session, signal }) => {
      await this.#daemon.sessions.signal(session, signal);
      return null;
    },
    close: ({ session, options }) => this.#daemon.sessions.close(session, options),
    closeAll: ({ options }) => this.#daemon.sessions.closeAll(options),
    subscribe: async ({ subscription, ...interest }) => {
      const connection = this.#connection;
      const outlet = {
        isFull: () => connection.isFull(),
        send: (event: SessionEvent) =>
          connection.notify('event', { subscription, event: toWire(event) }),
      };
      if (this.#subscribers.size >= MOST_SUBSCRIBERS)
        throw new TooManySubscribers(MOST_SUBSCRIBERS);
      this.#subscribers.get(subscription)?.end();
      const { sessions } = this.#daemon;
      this.#subscribers.set(subscription, new SubscriberQueue(sessions, outlet, interest));
      return null;
    },
    unsubscribe: async ({ subscription }) => {
      this.#subscribers.get(subscription)?.end();
      this.#subscribers.delete(subscription);
      return null;
    },
  };

  /** A session that is not there may be one that was lost. */
  #explained(error: unknown): unknown {
    if (!(error instanceof SessionNotFound)) return error;
    const lost = this.#daemon.journal.findLost(error.details.session);
    return lost ? new SessionLost(lost.name, lost.command, lost.recording) : error;
  }
}

/** What whoever is of another version may still ask. */
const anyVersionMethods: readonly Method[] = ['hello', 'status', 'retire', 'stop'];
