/** Shuts the daemon down when it has not been needed for a while. */
export class IdleShutdown {
  readonly #idleMs: number;
  readonly #isNeeded: () => boolean;
  readonly #shutDown: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(idleMs: number, isNeeded: () => boolean, shutDown: () => void) {
    this.#idleMs = idleMs;
    this.#isNeeded = isNeeded;
    this.#shutDown = shutDown;
    this.update();
  }

  /** Called whenever a client or a session was added or removed. */
  update(): void {
    if (this.#isStopped) return;
    if (this.#isNeeded()) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setTimeout(this.#shutDown, this.#idleMs);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
