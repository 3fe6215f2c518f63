/**
 * The sockets at which clients find the daemon: one in the runtime folder, and one in the state folder for
 * the time in which that one is gone, as after the last logout. Both are created again when they are gone,
 * or come from the keeper, if there is one.
 */
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { takeFileLock } from '../../system/files/file-lock.ts';
import { listenOnPath, removeSocket } from '../../system/unix-listener.ts';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';
import { ensurePrivateFolder } from '../protocol/path-ownership.ts';
import type { DaemonLog } from './daemon-log.ts';
import type { KeptDaemon } from './keeping/kept-daemon.ts';
import { SocketFileWatcher } from './socket-file-watcher.ts';

export interface DaemonSocketDeps {
  log: Pick<DaemonLog, 'write'>;
  /** Of a daemon with a keeper. */
  kept: KeptDaemon | undefined;
  onConnection: (socket: Socket) => void;
}

export class DaemonSocket {
  readonly #paths: DaemonPaths;
  readonly #log: DaemonSocketDeps['log'];
  readonly #kept: KeptDaemon | undefined;
  readonly #server: Server;
  readonly #stateServer: Server;
  #watcher: SocketFileWatcher;
  /** The last error of each socket, so that it is logged once and not every second. */
  readonly #bindErrors = new Map<string, string>();

  constructor(paths: DaemonPaths, { log, kept, onConnection }: DaemonSocketDeps) {
    this.#paths = paths;
    this.#log = log;
    this.#kept = kept;
    this.#server = createServer(onConnection);
    this.#stateServer = createServer(onConnection);
    this.#watcher = this.#makeWatcher();
  }

  async listen(): Promise<void> {
    await this.#bind();
    // We are the only daemon, so a socket that exists was left by one that was killed.
    if (this.#kept === undefined) removeSocket(this.#paths.stateSocket);
    await this.#bindInState();
    this.#watcher.start();
    for (const server of [this.#server, this.#stateServer])
      server.on('error', (error) => this.#log.write(`the socket: ${error.message}`));
  }

  /** New clients wait in the backlogs. Only for sockets that the keeper holds too. */
  pause(): void {
    this.#watcher.stop();
    this.#server.close();
    this.#stateServer.close();
  }

  async resume(): Promise<void> {
    // They may have been created again meanwhile.
    const [runtime, state] = [this.#kept?.socket('runtime'), this.#kept?.socket('state')];
    if (runtime !== undefined) await listenOn(this.#server, runtime);
    if (state !== undefined) await listenOn(this.#stateServer, state);
    this.#watcher = this.#makeWatcher();
    this.#watcher.start();
  }

  /** New clients no longer find it. With a keeper they wait until that has ended too. */
  close(): void {
    this.#watcher.stop();
    const { socket, stateSocket } = this.#paths;
    if (this.#kept === undefined) for (const path of [socket, stateSocket]) removeSocket(path);
    this.#server.close();
    this.#stateServer.close();
  }

  async #bind(): Promise<void> {
    const fd = await this.#kept?.bind('runtime');
    if (this.#kept !== undefined && fd === undefined)
      throw new Error('the keeper cannot create the socket');
    if (fd !== undefined) await listenOn(this.#server, fd);
    else await this.#create();
  }

  #makeWatcher(): SocketFileWatcher {
    // A second socket that is gone is missed only when the first one is gone too.
    return new SocketFileWatcher(this.#paths, async () => {
      await this.#bindInState();
      return this.#bindAgain();
    });
  }

  async #create(): Promise<void> {
    const { socket } = this.#paths;
    this.#server.close();
    const listening = once(this.#server, 'listening');
    // We hold the lock, so a socket that exists was left by a daemon that was killed.
    rmSync(socket, { force: true });
    // The umask is set only for this call, which creates the socket. It must not affect sessions.
    const umask = process.umask(0o177);
    try {
      this.#server.listen(socket);
    } finally {
      process.umask(umask);
    }
    await listening;
    chmodSync(socket, 0o600);
  }

  /** Does nothing while it is there. Without it the daemon is found as long as its first socket is. */
  async #bindInState(): Promise<void> {
    const { stateSocket, stateFolder } = this.#paths;
    const isThere = this.#stateServer.listening && existsSync(stateSocket);
    if (isThere) return;
    try {
      ensurePrivateFolder(stateFolder, 'state');
      const fd =
        this.#kept === undefined ? listenOnPath(stateSocket) : await this.#kept.bind('state');
      if (fd === undefined) throw new Error('the keeper cannot create the socket');
      await listenOn(this.#stateServer, fd);
      this.#bindErrors.delete(stateSocket);
    } catch (error) {
      this.#onBindError(stateSocket, error as Error);
    }
  }

  /** The socket is gone, perhaps with its folder and the lock. False if it cannot be created now. */
  async #bindAgain(): Promise<boolean> {
    const { runtimeFolder, lock, socket } = this.#paths;
    try {
      // We must not create it, though root could: the next login mounts a folder over it.
      if (!existsSync(dirname(runtimeFolder))) return false;
      ensurePrivateFolder(runtimeFolder, 'runtime');
      // The keeper takes it itself, if there is one.
      if (this.#kept === undefined && !takeFileLock(lock)) return false;
      await this.#bind();
    } catch (error) {
      // SocketFileWatcher tries again every second: the folder of a login comes back at the next login.
      this.#onBindError(socket, error as Error);
      return false;
    }
    this.#bindErrors.delete(socket);
    this.#log.write(`listens again at ${socket}, which was gone`);
    return true;
  }

  #onBindError(socket: string, { message }: Error): void {
    const bindError = `cannot be found at ${socket}: ${message}`;
    if (bindError !== this.#bindErrors.get(socket)) this.#log.write(bindError);
    this.#bindErrors.set(socket, bindError);
  }
}

/** Instead of where it has listened before. */
const listenOn = async (server: Server, fd: number): Promise<void> => {
  server.close();
  const listening = once(server, 'listening');
  server.listen({ fd });
  await listening;
};
