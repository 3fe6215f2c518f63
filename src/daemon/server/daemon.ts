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
const MOST_CLIENTS = 256;
/** Of those that have not: the oldest makes room. */
const MOST_STRANGERS = 64;
/** A daemon may live for months. */
const HOUSEKEEPING_MS = 3_600_000;
/** For a client to take the last answer. */
const FAREWELL_MS = 500;

export interface DaemonOptions {
  /** How long it stays without session and client. @default 10 minutes */
  idleMs?: number;
  sessions?: SessionsOptions;
}

export class Daemon implements DaemonContext {
  readonly sessions: LocalSessions;
  readonly living: SessionJournal;
  readonly keyboards = new KeyboardHolders<ClientConnection>();
  readonly log: DaemonLog;
  /** Resolves when all is closed. */
  readonly ended: Promise<void>;
  readonly #places: DaemonPaths;
  readonly #server: Server;
  readonly #clients = new Set<ClientConnection>();
  readonly #strangers = new Set<ClientConnection>();
  readonly #lifetime: IdleShutdown;
  readonly #presence: SocketWatch;
  readonly #startedAt = new Date();
  #stopping: Promise<string[]> | undefined;
  /** What keeps it from being found, as it was logged. */
  #trouble: string | undefined;
  #isEnded = () => {};

  /** The caller holds the lock. */
  constructor(places: DaemonPaths, { idleMs = 10 * 60_000, sessions = {} }: DaemonOptions = {}) {
    this.#places = places;
    this.log = new DaemonLog(places.log);
    this.living = new SessionJournal(places.living, (message) => this.log.write(message));
    this.sessions = new LocalSessions({
      maxSessions: SERVER_SESSIONS,
      recordings: { always: true, folder: places.recordings },
      ...sessions,
    });
    const note = (event: SessionEvent) => {
      if (event.type === 'closed') this.keyboards.forget(event.session);
      this.living.note(event, this.sessions.recordingOf(event.session));
      this.#lifetime.look();
    };
    this.sessions.subscribe(note, undefined, ['opened', 'closed']);
    this.ended = new Promise((resolve) => {
      this.#isEnded = resolve;
    });
    this.#server = createServer((socket) => this.#receive(socket));
    this.#presence = new SocketWatch(places, () => this.#bindAnew());
    const isNeeded = () => this.#clients.size > 0 || this.living.sessions.length > 0;
    this.#lifetime = new IdleShutdown(idleMs, isNeeded, () => {
      this.log.write('ends: nobody needs it');
      void this.stop();
    });
    for (const { name, recording } of this.living.untold)
      this.log.write(`session ${name} was lost; recording: ${recording ?? 'none'}`);
  }

  async listen(): Promise<void> {
    await this.#bind();
    this.#presence.keep();
    this.#server.on('error', (error) => this.log.write(`the socket: ${error.message}`));
    const keep = () => void runHousekeeping(this, this.#places.recordings);
    setInterval(keep, HOUSEKEEPING_MS).unref();
    keep();
    this.log.write(`version ${VERSION} listens at ${this.#places.socket}`);
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
      sessions: this.living.sessions,
      lost: [...this.living.untold],
    };
  }

  admit(connection: ClientConnection): void {
    if (this.#clients.size >= MOST_CLIENTS) throw new TooManyClients(MOST_CLIENTS);
    this.#strangers.delete(connection);
    this.#clients.add(connection);
    connection.greet();
    this.#lifetime.look();
  }

  retire(asker: ClientConnection): boolean {
    const others = [...this.#clients].filter((client) => client !== asker);
    if (others.length > 0 || this.living.sessions.length > 0) return false;
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
    const { socket } = this.#places;
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
    const { runtimeFolder, lock, socket } = this.#places;
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
    const ended = this.living.sessions.map(({ name }) => name);
    this.#lifetime.stop();
    this.#presence.stop();
    // No new client finds us, and the next daemon waits for the lock.
    rmSync(this.#places.socket, { force: true });
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
    setImmediate(() => void this.#takeLeave());
    return ended;
  }

  async #takeLeave(): Promise<void> {
    const connections = [...this.#clients, ...this.#strangers];
    for (const connection of connections) connection.end();
    // One that is stopped does not take even that.
    const cut = setTimeout(() => {
      for (const connection of connections) connection.cut();
    }, FAREWELL_MS);
    await Promise.all(connections.map(({ closed }) => closed));
    clearTimeout(cut);
    this.#isEnded();
  }

  #receive(socket: Socket): void {
    const [oldest] = this.#strangers;
    if (this.#strangers.size >= MOST_STRANGERS) oldest?.cut();
    const connection = new ClientConnection(socket);
    const clerk = new RequestHandler(this, connection);
    connection.serve(
      (method, params, call) => clerk.answer(method, params, call),
      () => {
        this.#strangers.delete(connection);
        this.#clients.delete(connection);
        clerk.close();
        this.#lifetime.look();
      },
    );
    this.#strangers.add(connection);
  }
}
