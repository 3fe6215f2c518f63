/** Shuts the daemon down when it has not been needed for a while. */
export class IdleShutdown {
  readonly #idleMs: number;
  readonly #isNeeded: () => boolean;
  readonly #shutDown: () => void;
  /** Called with the time since which nobody needs the daemon, when that has changed. */
  onChange: (unneededSince: number | undefined) => void = () => {};
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(idleMs: number, isNeeded: () => boolean, shutDown: () => void) {
    this.#idleMs = idleMs;
    this.#isNeeded = isNeeded;
    this.#shutDown = shutDown;
    this.update();
  }

  /**
   * Called whenever a client or a session was added or removed. `since`: since when nobody has needed the
   * process before this one.
   */
  update(since = Date.now()): void {
    if (this.#isStopped) return;
    if (this.#isNeeded()) {
      if (this.#timer === undefined) return;
      clearTimeout(this.#timer);
      this.#timer = undefined;
      this.onChange(undefined);
    } else if (this.#timer === undefined) {
      // The clock may have been set since.
      const idleMs = Math.max(0, Date.now() - since);
      this.#timer = setTimeout(this.#shutDown, Math.max(0, this.#idleMs - idleMs));
      this.onChange(since);
    }
  }

  /** Goes on from where another process was. */
  continue(since: number | undefined): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.update(since);
  }

  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }
}
