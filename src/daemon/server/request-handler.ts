/** Carries out the requests of one connection. */
import {
  DaemonEnding,
  NotAPerson,
  OtherVersion,
  SessionLost,
  SessionNotFound,
  TooManySubscribers,
  UnusableArgument,
} from '../../errors.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import { assertScreenSize } from '../../screen/screen-size.ts';
import type { Caller } from '../../session/caller.ts';
import {
  type Confinement,
  makeConfinement,
  type SandboxOptions,
} from '../../session/confinement.ts';
import type { LocalSessions } from '../../session/local-sessions.ts';
import { ifDefined } from '../../session/options/if-defined.ts';
import { DEFAULT_ACTOR } from '../../session/options/options.ts';
import type { CallOptions, SessionEvent, SessionResult } from '../../session/sessions.ts';
import {
  agreeOnProtocol,
  type CallerParams,
  type ClientIdentity,
  type DaemonMethod,
  type DaemonStatus,
  fromWireBytes,
  type JournaledSession,
  MAX_SUBSCRIBERS,
  type MethodParams,
  type MethodResult,
  PROTOCOLS,
  sizeRules,
} from '../protocol/protocol.ts';
import { type RequestNumbers, RpcError, type RpcId, rpcErrorCodes } from '../protocol/rpc-peer.ts';
import type { Client } from './clients/client.ts';
import type { ClientConnection, RequestReceiver } from './clients/client-connection.ts';
import { identifyCaller } from './clients/identify-caller.ts';
import type { KnownClients } from './clients/known-clients.ts';
import { ReachableSessions } from './clients/reachable-sessions.ts';
import { SubscriberQueue } from './clients/subscriber-queue.ts';
import type { ClientHoldings } from './keeping/client-holdings.ts';
import type { DaemonPolicy } from './policy/daemon-policy.ts';
import type { SessionJournal } from './session-journal.ts';

/** The parts of the daemon that requests need. */
export interface DaemonContext {
  sessions: LocalSessions;
  journal: SessionJournal;
  holdings: ClientHoldings;
  policy: DaemonPolicy;
  /** Another process has another one. */
  readonly id: string;
  knownClients: KnownClients;
  readonly isEnding: boolean;
  /** While another program is about to take the daemon's place: nothing is begun. */
  readonly resting: Promise<void> | undefined;
  /** Prepares a restart, which follows when the client has its answer. */
  restart(asking: MethodParams<'restart'>, caller: Caller): Promise<void>;
  status(): DaemonStatus;
  /** Ends the daemon if it has no sessions and no other clients. Returns whether it does. */
  retire(requester: ClientConnection): boolean;
  stop(reason: string): Promise<string[]>;
  /**
   * Called for a connection that has said hello. Throws if there are too many clients. `clientId`: of
   * one whose earlier connection it replaces.
   */
  admit(connection: ClientConnection, caller: AdmittedCaller, clientId?: string): void;
}

export interface AdmittedCaller {
  caller: Caller;
  confinement: Confinement;
}

export class RequestHandler implements RequestReceiver {
  readonly #daemon: DaemonContext;
  readonly #connection: ClientConnection;
  /** Known after hello. */
  #client: Client | undefined;
  /** It was told of lost sessions, and has not said anything since: that answer may be lost. */
  #hasToldLost = false;

  constructor(daemon: DaemonContext, connection: ClientConnection) {
    this.#daemon = daemon;
    this.#connection = connection;
  }

  async handle(
    method: DaemonMethod,
    params: never,
    call: CallOptions,
    numbers: RequestNumbers,
  ): Promise<unknown> {
    const carryOut = (options: CallOptions) =>
      this.#methods[method](params, options, numbers).catch((error) => {
        throw this.#explainLostSession(error);
      });
    // The client asks our successor again, which answers it.
    if (this.#daemon.resting !== undefined) await this.#daemon.resting;
    if (anyVersionMethods.includes(method)) return carryOut(call);
    const client = this.#client;
    if (client === undefined) throw new Error('Say hello first.');
    client.onRequest(this.#connection);
    this.#noteHeard();
    if (this.#daemon.isEnding) throw new DaemonEnding();
    const { session } = params as { session?: string };
    this.#reachable.assert(session);
    if (client.answers === undefined) return carryOut(call);
    const { progress: token, asks } = params as CallerParams;
    return client.answers.answer({ ...numbers, method, params }, (begun) =>
      carryOut({
        ...call,
        ...begun,
        untilHeard: () => client.untilConnected(begun.signal),
        // To the connection that it has by then.
        ...(token !== undefined && {
          onProgress: (progress) => client.notify('progress', { token, progress }),
        }),
        ...(asks !== undefined && {
          askUser: (question, signal) => client.questions.ask(asks, question, signal),
        }),
      }),
    );
  }

  cancel(id: number): void {
    this.#client?.answers?.cancel(id);
  }

  leave(): void {
    this.#noteHeard();
    this.#client?.leave();
  }

  /** Called when the connection has ended. */
  close(): void {
    this.#client?.disconnect(this.#connection);
  }

  readonly #methods: {
    [M in DaemonMethod]: (
      params: MethodParams<M>,
      call: CallOptions,
      numbers: RequestNumbers,
    ) => Promise<MethodResult<M>>;
  } = {
    hello: async (params, _call, { id }) => {
      const { protocol: only, protocols = { oldest: only, newest: only }, version } = params;
      const daemon = this.#daemon;
      if (daemon.isEnding) throw new DaemonEnding();
      const protocol = agreeOnProtocol(PROTOCOLS, protocols);
      if (protocol === undefined) {
        const { program, sessions } = daemon.status();
        const names = sessions.map(({ name }) => name);
        throw new OtherVersion(PACKAGE_VERSION, version, program, names);
      }
      const identity = protocol >= 2 ? params.client : undefined;
      this.#assertHello(id, identity);
      const { peer } = this.#connection;
      const caller = identifyCaller(peer, params.caller ?? {}, daemon.sessions.terminals);
      const confinement = this.#confine(caller, params.caller?.sandbox);
      daemon.admit(this.#connection, { caller, confinement }, identity?.id);
      const { client, resumed } = daemon.knownClients.connect(
        this.#connection,
        Number(id),
        identity,
      );
      client.caller = caller;
      this.#client = client;
      const lost = this.#takeLost();
      const hello = { protocol, version: PACKAGE_VERSION, pid: process.pid, lost, caller };
      return identity === undefined ? hello : { ...hello, daemon: daemon.id, resumed };
    },
    status: async () => ({ ...this.#daemon.status(), lost: this.#takeLost() }),
    retire: async () => {
      this.#assertFree('end the daemon');
      return { retired: this.#daemon.retire(this.#connection) };
    },
    stop: async () => {
      this.#assertFree('end the daemon');
      return { ended: await this.#daemon.stop('a client has asked for it') };
    },
    restart: async (asking) => {
      if (this.#daemon.isEnding) throw new DaemonEnding();
      this.#assertFree('restart the daemon');
      const caller = identifyCaller(this.#connection.peer, {}, this.#daemon.sessions.all);
      await this.#daemon.restart(asking, caller);
      return null;
    },

    open: async ({ request }, call) =>
      this.#withNotice(await this.#daemon.sessions.start(request, call)),
    send: async ({ session, input }, call) =>
      this.#withNotice(await this.#daemon.sessions.send(session, input, call)),
    run: async ({ request }, call) => {
      this.#reachable.assert(request.session);
      return this.#withNotice(await this.#daemon.sessions.execute(request, call));
    },
    type: async ({ session, bytes }, call) => {
      const { holdings } = this.#daemon;
      holdings.resize(session, holdings.windows.use(session, this.#client!.key));
      await this.#daemon.sessions.type(session, fromWireBytes(bytes), call);
      return null;
    },
    take: async ({ session }, call) => {
      assertOutside(call);
      await this.#daemon.sessions.take(session, call);
      this.#daemon.holdings.keyboards.take(session, call.actor ?? DEFAULT_ACTOR, this.#client!.key);
      return null;
    },
    giveBack: async ({ session }, call) => {
      await this.#daemon.sessions.giveBack(session, call);
      this.#daemon.holdings.keyboards.giveBack(session, this.#client!.key);
      return null;
    },
    read: async ({ session, options }, call) =>
      this.#withNotice(await this.#daemon.sessions.read(session, options, call)),
    wait: async ({ options }, call) =>
      this.#withNotice(
        await this.#daemon.sessions.wait(this.#reachable.waitOptions(options), call),
      ),
    list: () => this.#reachable.list(),
    resize: async ({ session, cols, rows }) => {
      await this.#daemon.sessions.resize(session, cols, rows);
      this.#daemon.holdings.windows.setOwnSize(session, { cols, rows });
      return null;
    },
    attach: async ({ session, cols, rows, rule }) => {
      assertScreenSize(cols, rows);
      if (rule !== undefined && !sizeRules.includes(rule))
        throw new UnusableArgument('rule', `it must be one of: ${sizeRules.join(', ')}`);
      const { modes: current } = this.#daemon.sessions.find(session).screen;
      const attached = { window: { cols, rows }, rule, current };
      const { holdings } = this.#daemon;
      const size = holdings.windows.attach(session, this.#client!.key, attached);
      holdings.resize(session, size);
      return null;
    },
    detach: async ({ session }) => {
      const { holdings } = this.#daemon;
      holdings.resize(session, holdings.windows.detach(session, this.#client!.key));
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
    closeAll: ({ options }) => this.#reachable.closeAll(options),
    subscribe: async ({ subscription, ...filter }) => {
      const client = this.#client!;
      const sink = {
        isFull: () => client.isFull(),
        send: this.#reachable.filter((event: SessionEvent) =>
          client.sendEvent(subscription, event),
        ),
      };
      const { subscribers } = client;
      if (subscribers.size >= MAX_SUBSCRIBERS) throw new TooManySubscribers(MAX_SUBSCRIBERS);
      subscribers.get(subscription)?.end();
      subscribers.set(subscription, new SubscriberQueue(this.#daemon.sessions, sink, filter));
      return null;
    },
    unsubscribe: async ({ subscription }) => {
      this.#client!.subscribers.get(subscription)?.end();
      this.#client!.subscribers.delete(subscription);
      return null;
    },
    approvals: async ({ after }, { signal }) => {
      const { approvals } = this.#daemon.policy;
      if (after !== undefined) await approvals.untilChangedSince(after, signal);
      return { version: approvals.version, waiting: approvals.waiting };
    },
    answer: async ({ id, answer }, { caller }) => {
      this.#daemon.policy.approvals.answer(id, answer, caller!);
      return null;
    },
    answerAsUser: async ({ id, answer }) => {
      this.#client!.questions.answer(id, answer);
      return null;
    },
    switchPolicyOff: async (_params, { caller }) => {
      this.#daemon.policy.switchOff(caller!);
      return null;
    },
    verifyAudit: async () => this.#daemon.policy.verifyAudit(),
    leastSandbox: async () =>
      ifDefined('profile', await this.#daemon.policy.outside.leastSandbox(this.#client!)),
    permitOpen: async (opening, call) => {
      await this.#daemon.policy.outside.permitOpen(this.#client!, opening, call);
      return null;
    },
    permitInput: ({ input }, call) =>
      this.#daemon.policy.outside.permitInput(this.#client!, input, call),
  };

  /** A broken policy is told with every result, until it is mended. */
  async #withNotice<R extends SessionResult>(result: R): Promise<R> {
    const notice = await this.#daemon.policy.notice();
    if (notice === undefined) return result;
    return { ...result, notice: [result.notice, notice].filter(Boolean).join(' ') };
  }

  #assertHello(id: RpcId, identity: ClientIdentity | undefined): void {
    const refuse = (problem: string) => {
      throw new RpcError(rpcErrorCodes.invalidParams, problem);
    };
    if (this.#client !== undefined) refuse('hello was said on this connection before');
    if (identity === undefined) return;
    if (!Number.isSafeInteger(id)) refuse('the id of hello is not a whole number');
    if (!CLIENT_ID.test(identity.id)) refuse('hello.client.id is not 16 to 64 letters and digits');
  }

  get #reachable(): ReachableSessions {
    return new ReachableSessions(this.#daemon.sessions, this.#connection.confinement);
  }

  /** A caller in a sandboxed session is confined by that, whatever it says of itself. */
  #confine({ inside }: Caller, claimed: SandboxOptions = {}): Confinement {
    const { sessions } = this.#daemon;
    const name = inside?.session;
    const within =
      name !== undefined && sessions.has(name) ? sessions.find(name).sandbox : undefined;
    return makeConfinement(claimed, within);
  }

  /** Also for one that has not said hello. */
  #assertFree(act: string): void {
    const { sessions } = this.#daemon;
    const caller = identifyCaller(this.#connection.peer, {}, sessions.terminals);
    new ReachableSessions(sessions, this.#confine(caller)).assertFree(act);
    this.#reachable.assertFree(act);
  }

  #takeLost(): JournaledSession[] {
    const lost = this.#daemon.journal.takeUnreported();
    this.#hasToldLost ||= lost.length > 0;
    return lost;
  }

  #noteHeard(): void {
    if (this.#hasToldLost) this.#daemon.journal.noteHeard();
    this.#hasToldLost = false;
  }

  /** A session that is not found may have been lost in a crash. */
  #explainLostSession(error: unknown): unknown {
    if (!(error instanceof SessionNotFound)) return error;
    const lost = this.#daemon.journal.findLost(error.details.session);
    return lost ? new SessionLost(lost) : error;
  }
}

/** What runs inside a session of ours is that session's agent: it takes no keyboard, its own neither. */
const assertOutside = ({ caller }: CallOptions): void => {
  if (caller?.inside !== undefined) throw new NotAPerson(caller.inside.session);
};

/** Long enough that no two clients have the same by accident. */
const CLIENT_ID = /^[\w-]{16,64}$/;

/** Requests that a client of another version may make, without a hello. */
const anyVersionMethods: readonly DaemonMethod[] = ['hello', 'status', 'retire', 'stop', 'restart'];
