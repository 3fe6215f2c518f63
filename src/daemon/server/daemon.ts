/** The daemon: sessions that outlive their clients, served on a socket. */
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { TooManyClients } from '../../errors.ts';
import { LocalSessions } from '../../session/local-sessions.ts';
import { SERVER_SESSIONS, type SessionsOptions } from '../../session/options/options.ts';
import type { SessionEvent } from '../../session/sessions.ts';
import { takeLock } from '../../system/files/file-lock.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../protocol/path-ownership.ts';
import type { DaemonStatus } from '../protocol/protocol.ts';
import { VERSION } from '../protocol/version.ts';
import { ClientConnection } from './client-connection.ts';
import { DaemonLog } from './daemon-log.ts';
import { runHousekeeping } from './housekeeping.ts';
import { IdleShutdown } from './idle-shutdown.ts';
import { KeyboardHolders } from './keyboard-holders.ts';
import { type DaemonContext, RequestHandler } from './request-handler.ts';
import { SessionJournal } from './session-journal.ts';
import { SocketWatch } from './socket-watch.ts';

/** The command line of this version, for whoever has another one. */
const PROGRAM = fileURLToPath(new URL('../../cli/main.js', import.meta.url));
/** Of those that have said hello. Many more than anybody has, and few enough for our descriptors. */
const MAX_CLIENTS = 256;
/** Of those that have not: the oldest makes room. */
const MAX_UNIDENTIFIED = 64;
/** A daemon may live for months. */
const HOUSEKEEPING_MS = 3_600_000;
/** For a client to take the last answer. */
const LAST_ANSWER_MS = 500;

export interface DaemonOptions {
  /** How long it stays without session and client. @default 10 minutes */
  idleMs?: number;
  sessions?: SessionsOptions;
}

export class Daemon implements DaemonContext {
  readonly sessions: LocalSessions;
  readonly journal: SessionJournal;
  readonly keyboardHolders = new KeyboardHolders<ClientConnection>();
  readonly log: DaemonLog;
  /** Resolves when all is closed. */
  readonly ended: Promise<void>;
  readonly #paths: DaemonPaths;
  readonly #server: Server;
  readonly #clients = new Set<ClientConnection>();
  readonly #unidentified = new Set<ClientConnection>();
  readonly #idleShutdown: IdleShutdown;
  readonly #socketWatch: SocketWatch;
  readonly #startedAt = new Date();
  #stopping: Promise<string[]> | undefined;
  /** What keeps it from being found, as it was logged. */
  #trouble: string | undefined;
  #isEnded = () => {};

  /** The caller holds the lock. */
  constructor(paths: DaemonPaths, { idleMs = 10 * 60_000, sessions = {} }: DaemonOptions = {}) {
    this.#paths = paths;
    this.log = new DaemonLog(paths.log);
    this.journal = new SessionJournal(paths.journal, (message) => this.log.write(message));
    this.sessions = new LocalSessions({
      maxSessions: SERVER_SESSIONS,
      recordings: { always: true, folder: paths.recordings },
      ...sessions,
    });
    const note = (event: SessionEvent) => {
      if (event.type === 'closed') this.keyboardHolders.forget(event.session);
      this.journal.note(event, this.sessions.recordingOf(event.session));
      this.#idleShutdown.update();
    };
    this.sessions.subscribe(note, undefined, ['opened', 'closed']);
    this.ended = new Promise((resolve) => {
      this.#isEnded = resolve;
    });
    this.#server = createServer((socket) => this.#receive(socket));
    this.#socketWatch = new SocketWatch(paths, () => this.#bindAnew());
    const isNeeded = () => this.#clients.size > 0 || this.journal.sessions.length > 0;
    this.#idleShutdown = new IdleShutdown(idleMs, isNeeded, () => {
      this.log.write('ends: nobody needs it');
      void this.stop();
    });
    for (const { name, recording } of this.journal.unreported)
      this.log.write(`session ${name} was lost; recording: ${recording ?? 'none'}`);
  }

  async listen(): Promise<void> {
    await this.#bind();
    this.#socketWatch.keep();
    this.#server.on('error', (error) => this.log.write(`the socket: ${error.message}`));
    const keep = () => void runHousekeeping(this, this.#paths.recordings);
    setInterval(keep, HOUSEKEEPING_MS).unref();
    keep();
    this.log.write(`version ${VERSION} listens at ${this.#paths.socket}`);
  }

  get isEnding(): boolean {
    return this.#stopping !== undefined;
  }

  status(): DaemonStatus {
    return {
      version: VERSION,
      pid: process.pid,
      program: `${process.execPath} ${PROGRAM}`,
      startedAt: this.#startedAt.toISOString(),
      clients: this.#clients.size,
      sessions: this.journal.sessions,
      lost: [...this.journal.unreported],
    };
  }

  admit(connection: ClientConnection): void {
    if (this.#clients.size >= MAX_CLIENTS) throw new TooManyClients(MAX_CLIENTS);
    this.#unidentified.delete(connection);
    this.#clients.add(connection);
    connection.greet();
    this.#idleShutdown.update();
  }

  retire(asker: ClientConnection): boolean {
    const others = [...this.#clients].filter((client) => client !== asker);
    if (others.length > 0 || this.journal.sessions.length > 0) return false;
    this.log.write('ends: a client of another version takes over');
    void this.stop();
    return true;
  }

  /** Ends the sessions and the daemon. Resolves with the names of the sessions that were ended. */
  stop(): Promise<string[]> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #bind(): Promise<void> {
    const { socket } = this.#paths;
    // Left by one that was killed: whoever made it would hold the lock.
    rmSync(socket, { force: true });
    const listening = once(this.#server, 'listening');
    // The socket is made in this call, and what sessions make meanwhile is not our business.
    const umask = process.umask(0o177);
    try {
      this.#server.listen(socket);
    } finally {
      process.umask(umask);
    }
    await listening;
    chmodSync(socket, 0o600);
  }

  /** The socket is gone, perhaps with its folder and the lock. False where there is no place for us. */
  async #bindAnew(): Promise<boolean> {
    const { runtimeFolder, lock, socket } = this.#paths;
    try {
      // Not ours to make: root could, and what the next login brings would hide what is in it.
      if (!existsSync(dirname(runtimeFolder))) return false;
      ensurePrivateFolder(runtimeFolder, 'runtime');
      if (!takeLock(lock)) return false;
      this.#server.close();
      await this.#bind();
    } catch (error) {
      // Tried every second until it can: a login's folder is there again at the next login.
      const trouble = `cannot be found: ${(error as Error).message}`;
      if (trouble !== this.#trouble) this.log.write(trouble);
      this.#trouble = trouble;
      return false;
    }
    this.#trouble = undefined;
    this.log.write(`listens again at ${socket}, which was gone`);
    return true;
  }

  async #stop(): Promise<string[]> {
    const ended = this.journal.sessions.map(({ name }) => name);
    this.#idleShutdown.stop();
    this.#socketWatch.stop();
    // No new client finds us, and the next daemon waits for the lock.
    rmSync(this.#paths.socket, { force: true });
    this.#server.close();
    try {
      const { survivors } = await this.sessions.closeAll();
      const left = survivors.map(({ pid, name }) => `${name} (${pid})`).join(', ');
      this.log.write(`ended, with ${ended.length} sessions${left && `; still running: ${left}`}`);
    } catch (error) {
      // Of another user, perhaps. It loses its terminal when we are gone.
      this.log.write(`ended, but could not end every session: ${error}`);
    }
    // After the answer to whoever asked for it.
    setImmediate(() => void this.#disconnectAll());
    return ended;
  }

  async #disconnectAll(): Promise<void> {
    const connections = [...this.#clients, ...this.#unidentified];
    for (const connection of connections) connection.end();
    // One that is stopped does not take even that.
    const cut = setTimeout(() => {
      for (const connection of connections) connection.destroy();
    }, LAST_ANSWER_MS);
    await Promise.all(connections.map(({ closed }) => closed));
    clearTimeout(cut);
    this.#isEnded();
  }

  #receive(socket: Socket): void {
    const [oldest] = this.#unidentified;
    if (this.#unidentified.size >= MAX_UNIDENTIFIED) oldest?.destroy();
    const connection = new ClientConnection(socket);
    const handler = new RequestHandler(this, connection);
    connection.serve(
      (method, params, call) => handler.handle(method, params, call),
      () => {
        this.#unidentified.delete(connection);
        this.#clients.delete(connection);
        handler.close();
        this.#idleShutdown.update();
      },
    );
    this.#unidentified.add(connection);
  }
}
