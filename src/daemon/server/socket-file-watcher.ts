/**
 * Notices when the daemon's socket has been removed, and has it created again.
 *
 * systemd removes the runtime folder after a user's last logout and creates it at the next login, and
 * people empty temporary folders. The sessions live on, and clients look for them at the same path.
 */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';

/** When the socket is removed, its folder is often removed just afterwards. */
const SETTLE_MS = 100;
/** A watch does not notice when a folder above is renamed, or a file system is mounted over it. */
const CHECK_MS = 1000;

export class SocketFileWatcher {
  readonly #paths: DaemonPaths;
  readonly #rebind: () => Promise<boolean>;
  #socketId: string | undefined;
  #watcher: FSWatcher | undefined;
  #interval: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** `rebind` creates the socket again, and resolves with false if that is not possible yet. */
  constructor(paths: DaemonPaths, rebind: () => Promise<boolean>) {
    this.#paths = paths;
    this.#rebind = rebind;
  }

  /** Watches the socket that exists now. */
  start(): void {
    this.#socketId = fileId(this.#paths.socket);
    const check = () => {
      if (!this.#isPresent) this.#rebindSoon();
    };
    this.#interval ??= setInterval(check, CHECK_MS);
    this.#watcher?.close();
    try {
      this.#watcher = watch(this.#paths.runtimeFolder, { persistent: false }, check);
      // The watch has failed, which may mean that the folder is gone.
      this.#watcher.on('error', check);
    } catch {
      // The folder is gone again, or this user has no watches left. The interval is enough.
    }
    // The socket may have been removed before the watch began.
    check();
  }

  stop(): void {
    this.#isStopped = true;
    this.#watcher?.close();
    clearInterval(this.#interval);
    clearTimeout(this.#timer);
  }

  #rebindSoon(): void {
    this.#timer ??= setTimeout(async () => {
      const isPresent = this.#isPresent || (await this.#rebind());
      this.#timer = undefined;
      if (isPresent && !this.#isStopped) this.start();
    }, SETTLE_MS);
  }

  get #isPresent(): boolean {
    return this.#socketId !== undefined && fileId(this.#paths.socket) === this.#socketId;
  }
}

/** Device and inode: after a logout the folder is a new file system, whose inodes start at 1 again. */
const fileId = (path: string): string | undefined => {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    // If we cannot look at it, clients cannot find it either.
    return undefined;
  }
};
