/**
 * The socket at which clients find the daemon. It is created again when it is gone, as at a logout, or
 * comes from the keeper, if there is one.
 */
import { once } from 'node:events';
import { chmodSync, existsSync, rmSync } from 'node:fs';
import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import { takeFileLock } from '../../system/files/file-lock.ts';
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
  #watcher: SocketFileWatcher;
  /** The last error of `#bindAgain`, so that it is logged once and not every second. */
  #bindError: string | undefined;

  constructor(paths: DaemonPaths, { log, kept, onConnection }: DaemonSocketDeps) {
    this.#paths = paths;
    this.#log = log;
    this.#kept = kept;
    this.#server = createServer(onConnection);
    this.#watcher = this.#makeWatcher();
  }

  async listen(): Promise<void> {
    await this.#bind();
    this.#watcher.start();
    this.#server.on('error', (error) => this.#log.write(`the socket: ${error.message}`));
  }

  /** New clients wait in its backlog. Only for a socket that the keeper holds too. */
  pause(): void {
    this.#watcher.stop();
    this.#server.close();
  }

  async resume(): Promise<void> {
    // It may have been created again meanwhile.
    this.#server.close();
    await this.#listenOn(this.#kept?.socket());
    this.#watcher = this.#makeWatcher();
    this.#watcher.start();
  }

  /** New clients no longer find it. */
  close(): void {
    this.#watcher.stop();
    rmSync(this.#paths.socket, { force: true });
    this.#server.close();
  }

  async #bind(): Promise<void> {
    const fd = await this.#kept?.bind();
    if (this.#kept !== undefined && fd === undefined)
      throw new Error('the keeper cannot create the socket');
    this.#server.close();
    await this.#listenOn(fd);
    if (fd === undefined) chmodSync(this.#paths.socket, 0o600);
  }

  async #listenOn(fd: number | undefined): Promise<void> {
    const listening = once(this.#server, 'listening');
    if (fd === undefined) this.#create();
    else this.#server.listen({ fd });
    await listening;
  }

  #makeWatcher(): SocketFileWatcher {
    return new SocketFileWatcher(this.#paths, () => this.#bindAgain());
  }

  #create(): void {
    const { socket } = this.#paths;
    // We hold the lock, so a socket that exists was left by a daemon that was killed.
    rmSync(socket, { force: true });
    // The umask is set only for this call, which creates the socket. It must not affect sessions.
    const umask = process.umask(0o177);
    try {
      this.#server.listen(socket);
    } finally {
      process.umask(umask);
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
      const bindError = `cannot be found: ${(error as Error).message}`;
      if (bindError !== this.#bindError) this.#log.write(bindError);
      this.#bindError = bindError;
      return false;
    }
    this.#bindError = undefined;
    this.#log.write(`listens again at ${socket}, which was gone`);
    return true;
  }
}
