/** A daemon that nobody needs ends by itself. */
export class IdleShutdown {
  readonly #idleMs: number;
  readonly #isNeeded: () => boolean;
  readonly #end: () => void;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;

  constructor(idleMs: number, isNeeded: () => boolean, end: () => void) {
    this.#idleMs = idleMs;
    this.#isNeeded = isNeeded;
    this.#end = end;
    this.update();
  }

  /** To be called whenever a client or a session has come or gone. */
  update(): void {
    if (this.#isOver) return;
    if (this.#isNeeded()) {
      clearTimeout(this.#timer);
      this.#timer = undefined;
    } else this.#timer ??= setTimeout(this.#end, this.#idleMs);
  }

  stop(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }
}
