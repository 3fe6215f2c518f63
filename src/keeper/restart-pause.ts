/** How long the keeper waits before it starts the daemon again. */

/** A daemon that has served for so long does not end because of how it starts. */
const STABLE_MS = 1000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 10_000;

export class RestartPause {
  #pauseMs = 0;

  /** `servedMs`: how long it was ready. At first there is no pause: clients are waiting. */
  next(servedMs: number): number {
    if (servedMs >= STABLE_MS) this.#pauseMs = 0;
    const pauseMs = this.#pauseMs;
    this.#pauseMs = Math.min(MAX_PAUSE_MS, Math.max(FIRST_PAUSE_MS, 2 * pauseMs));
    return pauseMs;
  }
}
