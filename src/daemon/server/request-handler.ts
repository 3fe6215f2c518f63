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
  living: SessionJournal;
  keyboards: KeyboardHolders<ClientConnection>;
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
  readonly #office: DaemonContext;
  readonly #connection: ClientConnection;
  readonly #followers = new Map<number, SubscriberQueue>();

  constructor(office: DaemonContext, connection: ClientConnection) {
    this.#office = office;
    this.#connection = connection;
    connection.onDrained.add(() => {
      for (const follower of this.#followers.values()) follower.catchUp();
    });
  }

  async answer(method: Method, params: never, call: CallOptions): Promise<unknown> {
    if (!this.#connection.isGreeted && !forStrangers.includes(method))
      throw new Error('Say hello first.');
    if (this.#office.isEnding && !forStrangers.includes(method)) throw new DaemonEnding();
    try {
      return await this.#answers[method](params, call);
    } catch (error) {
      throw this.#explained(error);
    }
  }

  /** The connection has ended, and with it what belongs to it. */
  close(): void {
    const { sessions, keyboards } = this.#office;
    for (const follower of this.#followers.values()) follower.end();
    for (const { session, actor } of keyboards.release(this.#connection)) {
      // Its session may just be closing.
      sessions.giveBack(session, { actor }).catch(() => {});
    }
  }

  readonly #answers: {
    [M in Method]: (params: MethodParams<M>, call: CallOptions) => Promise<MethodResult<M>>;
  } = {
    hello: async ({ protocol, version }) => {
      const office = this.#office;
      if (office.isEnding) throw new DaemonEnding();
      if (protocol !== PROTOCOL || version !== VERSION) {
        const { program, sessions } = office.status();
        const names = sessions.map(({ name }) => name);
        throw new OtherVersion(VERSION, version, program, names);
      }
      office.admit(this.#connection);
      return { version: VERSION, pid: process.pid, lost: office.living.takeUntold() };
    },
    status: async () => ({ ...this.#office.status(), lost: this.#office.living.takeUntold() }),
    retire: async () => ({ retired: this.#office.retire(this.#connection) }),
    stop: async () => ({ ended: await this.#office.stop() }),

    open: ({ request }, call) => this.#office.sessions.start(request, call),
    send: ({ session, input }, call) => this.#office.sessions.send(session, input, call),
    run: ({ request }, call) => this.#office.sessions.execute(request, call),
    type: async ({ session, bytes }, call) => {
      await this.#office.sessions.type(session, fromBase64(bytes), call);
      return null;
    },
    take: async ({ session }, call) => {
      await this.#office.sessions.take(session, call);
      this.#office.keyboards.take(session, call.actor ?? AGENT, this.#connection);
      return null;
    },
    giveBack: async ({ session }, call) => {
      await this.#office.sessions.giveBack(session, call);
      return null;
    },
    read: ({ session, options }, call) => this.#office.sessions.read(session, options, call),
    wait: ({ options }, call) => this.#office.sessions.wait(options, call),
    list: () => this.#office.sessions.list(),
    resize: async ({ session, cols, rows }) => {
      await this.#office.sessions.resize(session, cols, rows);
      return null;
    },
    signal: async ({ session, signal }) => {
      await this.#office.sessions.signal(session, signal);
      return null;
    },
    close: ({ session, options }) => this.#office.sessions.close(session, options),
    closeAll: ({ options }) => this.#office.sessions.closeAll(options),
    subscribe: async ({ subscription, ...interest }) => {
      const connection = this.#connection;
      const outlet = {
        isFull: () => connection.isFull(),
        send: (event: SessionEvent) =>
          connection.notify('event', { subscription, event: toWire(event) }),
      };
      if (this.#followers.size >= MOST_SUBSCRIBERS) throw new TooManySubscribers(MOST_SUBSCRIBERS);
      this.#followers.get(subscription)?.end();
      const { sessions } = this.#office;
      this.#followers.set(subscription, new SubscriberQueue(sessions, outlet, interest));
      return null;
    },
    unsubscribe: async ({ subscription }) => {
      this.#followers.get(subscription)?.end();
      this.#followers.delete(subscription);
      return null;
    },
  };

  /** A session that is not there may be one that was lost. */
  #explained(error: unknown): unknown {
    if (!(error instanceof SessionNotFound)) return error;
    const lost = this.#office.living.lost(error.details.session);
    return lost ? new SessionLost(lost.name, lost.command, lost.recording) : error;
  }
}

/** What whoever is of another version may still ask. */
const forStrangers: readonly Method[] = ['hello', 'status', 'retire', 'stop'];
