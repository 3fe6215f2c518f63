/** Carries out the requests of one connection. */
import {
  DaemonEnding,
  OtherVersion,
  SessionLost,
  SessionNotFound,
  TooManySubscribers,
  UnusableArgument,
} from '../../errors.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import { assertScreenSize } from '../../screen/screen-size.ts';
import type { Caller } from '../../session/caller.ts';
import type { LocalSessions } from '../../session/local-sessions.ts';
import { DEFAULT_ACTOR } from '../../session/options/options.ts';
import type { CallOptions, SessionEvent } from '../../session/sessions.ts';
import type { Size } from '../../system/terminal/pty-device.ts';
import {
  agreeOnProtocol,
  type DaemonMethod,
  type DaemonStatus,
  fromWireBytes,
  MAX_SUBSCRIBERS,
  type MethodParams,
  type MethodResult,
  PROTOCOLS,
  sizeRules,
  toWireEvent,
} from '../protocol/protocol.ts';
import type { AttachedWindows } from './attached-windows.ts';
import type { ClientConnection } from './client-connection.ts';
import { identifyCaller } from './identify-caller.ts';
import type { KeyboardHolders } from './keyboard-holders.ts';
import type { SessionJournal } from './session-journal.ts';
import { SubscriberQueue } from './subscriber-queue.ts';

/** The parts of the daemon that requests need. */
export interface DaemonContext {
  sessions: LocalSessions;
  journal: SessionJournal;
  keyboardHolders: KeyboardHolders<ClientConnection>;
  windows: AttachedWindows<ClientConnection>;
  readonly isEnding: boolean;
  status(): DaemonStatus;
  /** Ends the daemon if it has no sessions and no other clients. Returns whether it does. */
  retire(requester: ClientConnection): boolean;
  stop(): Promise<string[]>;
  /** Called for a connection that has said hello. Throws if there are too many clients. */
  admit(connection: ClientConnection, caller: Caller): void;
}

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

  async handle(method: DaemonMethod, params: never, call: CallOptions): Promise<unknown> {
    if (!anyVersionMethods.includes(method)) {
      if (!this.#connection.hasSaidHello) throw new Error('Say hello first.');
      if (this.#daemon.isEnding) throw new DaemonEnding();
    }
    return this.#methods[method](params, call).catch((error) => {
      throw this.#explainLostSession(error);
    });
  }

  /** Called when the connection has ended: ends its subscriptions and gives back its keyboards. */
  close(): void {
    const { sessions, keyboardHolders, windows } = this.#daemon;
    for (const subscriber of this.#subscribers.values()) subscriber.end();
    for (const { session, size } of windows.release(this.#connection)) this.#resize(session, size);
    for (const { session, actor } of keyboardHolders.release(this.#connection)) {
      // The session may be closing at this moment.
      const { caller } = this.#connection;
      sessions.giveBack(session, { actor, ...(caller && { caller }) }).catch(() => {});
    }
  }

  readonly #methods: {
    [M in DaemonMethod]: (params: MethodParams<M>, call: CallOptions) => Promise<MethodResult<M>>;
  } = {
    hello: async ({
      protocol: only,
      protocols = { oldest: only, newest: only },
      version,
      caller: claim = {},
    }) => {
      const daemon = this.#daemon;
      if (daemon.isEnding) throw new DaemonEnding();
      const protocol = agreeOnProtocol(PROTOCOLS, protocols);
      if (protocol === undefined) {
        const { program, sessions } = daemon.status();
        const names = sessions.map(({ name }) => name);
        throw new OtherVersion(PACKAGE_VERSION, version, program, names);
      }
      const caller = identifyCaller(this.#connection.peer, claim, daemon.sessions.all);
      daemon.admit(this.#connection, caller);
      const lost = daemon.journal.takeUnreported();
      return { protocol, version: PACKAGE_VERSION, pid: process.pid, lost, caller };
    },
    status: async () => ({ ...this.#daemon.status(), lost: this.#daemon.journal.takeUnreported() }),
    retire: async () => ({ retired: this.#daemon.retire(this.#connection) }),
    stop: async () => ({ ended: await this.#daemon.stop() }),

    open: ({ request }, call) => this.#daemon.sessions.start(request, call),
    send: ({ session, input }, call) => this.#daemon.sessions.send(session, input, call),
    run: ({ request }, call) => this.#daemon.sessions.execute(request, call),
    type: async ({ session, bytes }, call) => {
      this.#resize(session, this.#daemon.windows.use(session, this.#connection));
      await this.#daemon.sessions.type(session, fromWireBytes(bytes), call);
      return null;
    },
    take: async ({ session }, call) => {
      await this.#daemon.sessions.take(session, call);
      this.#daemon.keyboardHolders.take(session, call.actor ?? DEFAULT_ACTOR, this.#connection);
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
      this.#daemon.windows.setOwnSize(session, { cols, rows });
      return null;
    },
    attach: async ({ session, cols, rows, rule }) => {
      assertScreenSize(cols, rows);
      if (rule !== undefined && !sizeRules.includes(rule))
        throw new UnusableArgument('rule', `it must be one of: ${sizeRules.join(', ')}`);
      const { modes: current } = this.#daemon.sessions.find(session).screen;
      const attached = { window: { cols, rows }, rule, current };
      const size = this.#daemon.windows.attach(session, this.#connection, attached);
      this.#resize(session, size);
      return null;
    },
    detach: async ({ session }) => {
      this.#resize(session, this.#daemon.windows.detach(session, this.#connection));
      return null;
    },
    rename: async ({ session, to }) => {
      await this.#daemon.sessions.rename(session, to);
      return null;
    },
    signal: async ({ session, signal }) => {
      await this.#daemon.sessions.signal(session, signal);
      return null;
    },
    close: ({ session, options }) => this.#daemon.sessions.close(session, options),
    closeAll: ({ options }) => this.#daemon.sessions.closeAll(options),
    subscribe: async ({ subscription, ...filter }) => {
      const connection = this.#connection;
      const sink = {
        isFull: () => connection.isFull(),
        send: (event: SessionEvent) =>
          connection.notify('event', { subscription, event: toWireEvent(event) }),
      };
      if (this.#subscribers.size >= MAX_SUBSCRIBERS) throw new TooManySubscribers(MAX_SUBSCRIBERS);
      this.#subscribers.get(subscription)?.end();
      const { sessions } = this.#daemon;
      this.#subscribers.set(subscription, new SubscriberQueue(sessions, sink, filter));
      return null;
    },
    unsubscribe: async ({ subscription }) => {
      this.#subscribers.get(subscription)?.end();
      this.#subscribers.delete(subscription);
      return null;
    },
  };

  /** Does nothing if it has that size, or has ended meanwhile. */
  #resize(session: string, size: Size | undefined): void {
    const { sessions } = this.#daemon;
    const found = sessions.all.find(({ name }) => name === session);
    if (size === undefined || found === undefined || found.terminal.exit !== undefined) return;
    const { cols, rows } = found.screen.modes;
    if (cols !== size.cols || rows !== size.rows) found.resize(size.cols, size.rows);
  }

  /** A session that is not found may have been lost in a crash. */
  #explainLostSession(error: unknown): unknown {
    if (!(error instanceof SessionNotFound)) return error;
    const lost = this.#daemon.journal.findLost(error.details.session);
    return lost ? new SessionLost(lost.name, lost.command, lost.recording) : error;
  }
}

/** Requests that a client of another version may make, without a hello. */
const anyVersionMethods: readonly DaemonMethod[] = ['hello', 'status', 'retire', 'stop'];
