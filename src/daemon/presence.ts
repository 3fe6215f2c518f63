/**
 * Sees to it that the daemon can be found.
 *
 * A runtime folder goes with the last login and comes back with the next; people empty temporary
 * folders. The programs in here live on, and whoever wants them looks where they always were.
 */
import { type FSWatcher, lstatSync, watch } from 'node:fs';
import type { Places } from './paths.ts';

/** Whoever removes the socket may be about to remove what it lies in. */
const SETTLED_MS = 100;
/** For as long as there is no place for a socket, another daemon has taken it, or nothing tells us. */
const AGAIN_MS = 1000;

export class Presence {
  readonly #places: Places;
  readonly #appear: () => Promise<boolean>;
  #socket: string | undefined;
  #watcher: FSWatcher | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  /** `appear` makes the socket anew, and resolves with false where it cannot yet. */
  constructor(places: Places, appear: () => Promise<boolean>) {
    this.#places = places;
    this.#appear = appear;
  }

  /** The socket is there, now. */
  keep(): void {
    this.#socket = fileAt(this.#places.socket);
    this.#watcher?.close();
    const look = () => {
      if (!this.#isThere) this.#appearIn(SETTLED_MS);
    };
    try {
      this.#watcher = watch(this.#places.runtimeFolder, { persistent: false }, look);
      // It was closed between two looks.
      this.#watcher.on('error', look);
      // Gone before it was watched.
      look();
    } catch {
      // The folder is gone again, or this user has no watches left: then it is looked for by the clock.
      this.#appearIn(AGAIN_MS);
    }
  }

  stop(): void {
    this.#isOver = true;
    this.#watcher?.close();
    clearTimeout(this.#timer);
  }

  #appearIn(ms: number): void {
    if (this.#isOver) return;
    this.#timer ??= setTimeout(async () => {
      const isThere = this.#isThere || (await this.#appear());
      this.#timer = undefined;
      if (this.#isOver) return;
      if (isThere) this.keep();
      else this.#appearIn(AGAIN_MS);
    }, ms);
  }

  get #isThere(): boolean {
    return this.#socket !== undefined && fileAt(this.#places.socket) === this.#socket;
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
