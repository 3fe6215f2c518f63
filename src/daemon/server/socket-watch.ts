/**
 * Sees to it that the daemon can be found.
 *
 * A runtime folder goes with the last login and comes back with the next; people empty temporary
 * folders. The programs in here live on, and whoever wants them looks where they always were.
 */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import type { DaemonPaths } from '../protocol/daemon-paths.ts';

/** Whoever removes the socket may be about to remove what it lies in. */
const SETTLED_MS = 100;
/** What no watch tells: a folder above was renamed, another file system was mounted over it. */
const LOOK_MS = 1000;

export class SocketWatch {
  readonly #paths: DaemonPaths;
  readonly #appear: () => Promise<boolean>;
  #socket: string | undefined;
  #watcher: FSWatcher | undefined;
  #clock: NodeJS.Timeout | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** `appear` makes the socket anew, and resolves with false where it cannot yet. */
  constructor(paths: DaemonPaths, rebind: () => Promise<boolean>) {
    this.#paths = paths;
    this.#appear = rebind;
  }

  /** The socket is there, now. */
  keep(): void {
    this.#socket = fileAt(this.#paths.socket);
    const look = () => {
      if (!this.#isThere) this.#appearSoon();
    };
    this.#clock ??= setInterval(look, LOOK_MS);
    this.#watcher?.close();
    try {
      this.#watcher = watch(this.#paths.runtimeFolder, { persistent: false }, look);
      // It was closed between two looks.
      this.#watcher.on('error', look);
    } catch {
      // The folder is gone again, or this user has no watches left: the clock is enough.
    }
    // Gone before it was watched.
    look();
  }

  stop(): void {
    this.#isOver = true;
    this.#watcher?.close();
    clearInterval(this.#clock);
    clearTimeout(this.#timer);
  }

  #appearSoon(): void {
    this.#timer ??= setTimeout(async () => {
      const isThere = this.#isThere || (await this.#appear());
      this.#timer = undefined;
      if (isThere && !this.#isOver) this.keep();
    }, SETTLED_MS);
  }

  get #isThere(): boolean {
    return this.#socket !== undefined && fileAt(this.#paths.socket) === this.#socket;
  }
}

/** Which file it is: after a logout the folder is another file system, which counts from 1 again. */
const fileAt = (path: string): string | undefined => {
  try {
    const { dev, ino } = lstatSync(path);
    return `${dev}:${ino}`;
  } catch {
    // Whatever keeps us from looking keeps others from finding it.
    return undefined;
  }
};
