/** The daemon keeps sessions that outlive their clients, and serves them on a socket. */
import { randomUUID } from 'node:crypto';
import { fileURLToPath } from 'node:url';
import { SessionNotFound, TooManyClients } from '../../errors.ts';
import { PACKAGE_VERSION } from '../../package-version.ts';
import type { Caller } from '../../session/caller.ts';
import { LocalSessions } from '../../session/local-sessions.ts';
import { MAX_SERVER_SESSIONS, type SessionsOptions } from '../../session/options/options.ts';
import type { SessionEvent } from '../../session/sessions.ts';
import { collectMuchGarbage } from '../../system/free-memory.ts';
import { makeScreenView } from '../../views/screen.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import type { DaemonStatus, MethodParams } from '../protocol/protocol.ts';
import { SocketTransport } from '../protocol/socket-transport.ts';
import type { Transport } from '../protocol/transport.ts';
import { CLIENT_LIMITS, ClientConnection } from './clients/client-connection.ts';
import { examinePeer, unseenPeer } from './clients/identify-caller.ts';
import { KEPT_MS } from './clients/kept-answers.ts';
import { KnownClients } from './clients/known-clients.ts';
import { DaemonLog } from './daemon-log.ts';
import { DaemonSocket } from './daemon-socket.ts';
import { runHousekeeping } from './housekeeping.ts';
import { IdleShutdown } from './idle-shutdown.ts';
import { ClientHoldings } from './keeping/client-holdings.ts';
import { type KeeperOfDaemon, KeptDaemon } from './keeping/kept-daemon.ts';
import { RequestLedger } from './keeping/request-ledger.ts';
import { Successor } from './keeping/successor.ts';
import { DaemonPolicy } from './policy/daemon-policy.ts';
import { type AdmittedCaller, type DaemonContext, RequestHandler } from './request-handler.ts';
import { SessionJournal } from './session-journal.ts';

/** The command line program of this version. Clients of other versions are told to use it. */
const CLI_PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
/** Clients that have said hello. More than anybody needs, and few enough for our descriptors. */
const MAX_CLIENTS = 256;
/** Connections that have not said hello. When there are more, the oldest is closed. */
const MAX_UNIDENTIFIED = 64;
/** A daemon may live for months. */
const HOUSEKEEPING_MS = 3_600_000;
/** How long a client has to read the last response. */
const LAST_RESPONSE_MS = 500;

export interface DaemonOptions {
  /** How long it keeps running without sessions and clients. @default 10 minutes */
  idleMs?: number;
  sessions?: SessionsOptions;
  /** Of a daemon that is started again when it dies. @default its sessions end with it */
  keeper?: KeeperOfDaemon;
  /** How long a person has to answer. @default 60 seconds */
  approvalMs?: number;
}

export class Daemon implements DaemonContext {
  readonly sessions: LocalSessions;
  readonly journal: SessionJournal;
  /** Keyboards and windows. */
  readonly holdings: ClientHoldings;
  readonly policy: DaemonPolicy;
  /** Tells this daemon from another one that has the same socket, or the same pid. */
  readonly id: string;
  readonly knownClients: KnownClients;
  readonly log: DaemonLog;
  /** Resolves when everything is closed. */
  readonly ended: Promise<void>;
  readonly #paths: DaemonPaths;
  readonly #kept: KeptDaemon | undefined;
  readonly #ledger: RequestLedger | undefined;
  readonly #socket: DaemonSocket;
  readonly #successor: Successor;
  readonly #connections = new Set<ClientConnection>();
  readonly #unidentified = new Set<ClientConnection>();
  readonly #idleShutdown: IdleShutdown;
  readonly #startedAt = new Date();
  #stopping: Promise<string[]> | undefined;
  #resolveEnded = () => {};

  /** The caller, or the keeper, must hold the lock. */
  constructor(
    paths: DaemonPaths,
    { idleMs = 10 * 60_000, sessions = {}, keeper, approvalMs }: DaemonOptions = {},
  ) {
    this.#paths = paths;
    this.log = new DaemonLog(paths.log);
    const { runtimeFolder: folder } = paths;
    this.#kept = keeper && new KeptDaemon(keeper, { folder, log: this.log });
    this.id = this.#kept?.id ?? randomUUID();
    this.journal = new SessionJournal(paths.journal, (message) => this.log.write(message));
    const recordings = { always: true, folder: paths.recordings };
    this.sessions = new LocalSessions({
      maxSessions: MAX_SERVER_SESSIONS,
      recordings,
      ...sessions,
    });
    if (this.#kept !== undefined) this.sessions.keepWith(this.#kept.keeping);
    this.policy = new DaemonPolicy(paths, this.sessions, this.log, approvalMs);
    this.holdings = new ClientHoldings(this.sessions);
    this.#ledger = keeper && new RequestLedger(this.sessions);
    this.knownClients = new KnownClients({
      screenOf: (session) => this.#screenOf(session),
      onGone: (client, caller) => this.#onClientGone(client, caller),
      ledger: this.#ledger,
    });
    const onSessionEvent = (event: SessionEvent) => {
      if (event.type === 'closed') this.holdings.onClosed(event.session);
      this.policy.onSessionEvent(event);
      if (event.type === 'renamed') this.#onRenamed(event.session, event.to);
      this.journal.update(event, this.sessions.recordingOf(event.session));
      this.#idleShutdown.update();
      // In a moment the session is no longer in the list, and nobody has it any more.
      if (event.type === 'closed') setImmediate(() => this.#afterClosing());
    };
    this.sessions.subscribe(onSessionEvent, undefined, ['opened', 'renamed', 'closed']);
    this.ended = new Promise((resolve) => {
      this.#resolveEnded = resolve;
    });
    this.#socket = new DaemonSocket(paths, {
      log: this.log,
      kept: this.#kept,
      onConnection: (socket) =>
        this.accept(new SocketTransport(socket, CLIENT_LIMITS), examinePeer(socket)),
    });
    this.#successor = new Successor({
      paths,
      kept: this.#kept,
      sessions: this.sessions,
      socket: this.#socket,
      knownClients: this.knownClients,
      log: this.log,
      isEnding: () => this.isEnding,
    });
    const isNeeded = () => this.#connections.size > 0 || this.#hasPrograms;
    this.#idleShutdown = new IdleShutdown(idleMs, isNeeded, () => {
      void this.stop('nobody needs it');
    });
  }

  async listen(): Promise<void> {
    if (this.#kept && this.#ledger) await this.#takeOver(this.#kept, this.#ledger);
    await this.policy.load(this.#kept?.memory);
    this.journal.endRecovery();
    this.#idleShutdown.update();
    for (const { name, recording } of this.journal.unreported)
      this.log.write(`session ${name} was lost; recording: ${recording ?? 'none'}`);
    if (this.isEnding) return;
    await this.#socket.listen();
    this.#kept?.ready();
    this.#successor.watchKeeper();
    // Only now can they come back.
    for (const client of this.holdings.expected) this.knownClients.expect(client);
    const ledger = this.#ledger;
    if (ledger !== undefined) setTimeout(() => ledger.forgetLeft(), KEPT_MS).unref();
    const keepHouse = () => void runHousekeeping(this, this.#paths.recordings);
    setInterval(keepHouse, HOUSEKEEPING_MS).unref();
    // It looks at all sessions.
    if (this.#kept) void this.#kept.goOnWithAll(this.sessions).then(keepHouse);
    else keepHouse();
    this.log.write(`version ${PACKAGE_VERSION} listens at ${this.#paths.socket}`);
  }

  get resting(): Promise<void> | undefined {
    return this.#successor.resting;
  }

  restart(asking: MethodParams<'restart'>, caller: Caller): Promise<void> {
    return this.#successor.restart(asking, caller);
  }

  /** Goes on where the daemon before this one was killed. */
  async #takeOver(kept: KeptDaemon, ledger: RequestLedger): Promise<void> {
    const { sessions, journal, holdings } = this;
    await kept.takeOver({ sessions, journal, ledger, holdings });
    const { memory } = kept;
    this.#idleShutdown.onChange = (since) => memory?.set('unneeded since', since);
    this.#idleShutdown.continue(memory?.get('unneeded since') as number | undefined);
    if (memory?.get('told to end') !== true) return;
    void this.stop('the daemon before this one was told to, and was killed');
  }

  /** Also those of sessions that are set aside. */
  get #hasPrograms(): boolean {
    return this.journal.sessions.length > 0 || this.sessions.left.setAside.length > 0;
  }

  get isEnding(): boolean {
    return this.#stopping !== undefined;
  }

  status(): DaemonStatus {
    return {
      version: PACKAGE_VERSION,
      pid: process.pid,
      ...(this.#kept && { kept: true }),
      program: `${process.execPath} ${CLI_PROGRAM}`,
      startedAt: this.#startedAt.toISOString(),
      clients: this.#connections.size,
      callers: [...this.#connections].flatMap(({ caller }) => caller ?? []),
      sessions: this.journal.sessions,
      lost: [...this.journal.unreported],
    };
  }

  admit(
    connection: ClientConnection,
    { caller, confinement }: AdmittedCaller,
    clientId?: string,
  ): void {
    const isReplacing = this.knownClients.isConnected(clientId);
    if (this.#connections.size >= MAX_CLIENTS && !isReplacing)
      throw new TooManyClients(MAX_CLIENTS);
    this.#unidentified.delete(connection);
    this.#connections.add(connection);
    connection.acceptHello(caller, confinement);
    this.#idleShutdown.update();
  }

  retire(requester: ClientConnection): boolean {
    const others = [...this.#connections].filter((connection) => connection !== requester);
    if (others.length > 0 || this.#hasPrograms) return false;
    void this.stop('a client of another version takes over');
    return true;
  }

  /** Ends the sessions and the daemon. Resolves with the names of the ended sessions. */
  stop(reason: string): Promise<string[]> {
    this.#stopping ??= this.#stop(reason);
    return this.#stopping;
  }

  async #stop(reason: string): Promise<string[]> {
    const ended = this.journal.sessions.map(({ name }) => name);
    this.#kept?.memory?.set('told to end', true);
    this.#kept?.endStandIn();
    this.log.write(`ends: ${reason}`);
    this.#idleShutdown.stop();
    // New clients no longer find us, and the next daemon waits for the lock.
    this.#socket.close();
    try {
      const { survivors } = await this.sessions.closeAll();
      const running = survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ');
      this.log.write(
        `ended, with ${ended.length} sessions${running && `; still running: ${running}`}`,
      );
    } catch (error) {
      // Perhaps another user's process. It loses its terminal when we exit.
      this.log.write(`ended, but could not end every session: ${error}`);
    }
    // After the response to the client that requested it.
    setImmediate(() => void this.#disconnectAll());
    return ended;
  }

  async #disconnectAll(): Promise<void> {
    const connections = [...this.#connections, ...this.#unidentified];
    for (const connection of connections) connection.end();
    // A client that is stopped does not read its last response.
    const timer = setTimeout(() => {
      for (const connection of connections) connection.destroy('the daemon ends');
    }, LAST_RESPONSE_MS);
    await Promise.all(connections.map(({ closed }) => closed));
    clearTimeout(timer);
    this.#resolveEnded();
  }

  #afterClosing(): void {
    void collectMuchGarbage();
    void this.#successor.replaceKeeper();
  }

  #onRenamed(from: string, to: string): void {
    this.holdings.onRenamed(from, to);
    for (const connection of this.#connections) connection.onSessionRenamed(from, to);
    this.knownClients.onSessionRenamed(from, to);
  }

  /** For the error of a call whose outcome is not known. Undefined if there is no such session. */
  async #screenOf(session: string): Promise<string | undefined> {
    try {
      // Not by a read: nothing must count as read, and no exit as reported.
      const found = this.sessions.find(session);
      return found.masked(makeScreenView(found.screen).lines.join('\n'));
    } catch (error) {
      if (error instanceof SessionNotFound) return undefined;
      throw error;
    }
  }

  /** Gives back the keyboards that it held, and counts its windows no more. */
  #onClientGone(client: string, caller: Caller | undefined): void {
    const { windows, keyboards } = this.holdings;
    for (const { session, size } of windows.release(client)) this.holdings.resize(session, size);
    for (const { session, actor } of keyboards.release(client)) {
      // The session may be closing at this moment.
      this.sessions.giveBack(session, { actor, ...(caller && { caller }) }).catch(() => {});
    }
  }

  /** Serves a client on a connection that it has made. */
  accept(transport: Transport, peer = unseenPeer): void {
    const [oldest] = this.#unidentified;
    if (this.#unidentified.size >= MAX_UNIDENTIFIED) oldest?.destroy('others wait to say hello');
    const connection = new ClientConnection(transport, peer);
    const handler = new RequestHandler(this, connection);
    connection.serve(handler, () => {
      this.#unidentified.delete(connection);
      this.#connections.delete(connection);
      handler.close();
      this.#idleShutdown.update();
    });
    this.#unidentified.add(connection);
  }
}
