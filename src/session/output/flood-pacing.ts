/**
 * Pauses floods of output that no caller waits for, while a caller waits for another session. Ten floods
 * would take both processors, and the answer 40 ms instead of 6. The flooding program blocks meanwhile,
 * as on any slow terminal; nothing is lost.
 */
import type { Terminal } from '../../system/terminal/terminal.ts';

/** More output than this within a window is a flood, or more work: a few bytes can clear a large screen. */
const FLOOD_BYTES = 16 * 1024;
const FLOOD_WORK_MS = 2;
const WINDOW_MS = 50;
/** The floods take turns: one of them continues after each of these periods. */
const TURN_MS = 4;
/** No flood pauses longer than this, however many there are. */
const MAX_PAUSE_MS = 200;

const paused = new Set<FloodPacing>();

export class FloodPacing {
  #bytes = 0;
  #workMs = 0;
  #windowStartMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Called with the length of new output, and how long it took, while a caller waits for another session. */
  onOutput(bytes: number, workMs: number, terminal: Pick<Terminal, 'pause' | 'resume'>): void {
    const nowMs = performance.now();
    if (nowMs - this.#windowStartMs > WINDOW_MS) {
      this.#windowStartMs = nowMs;
      this.#bytes = 0;
      this.#workMs = 0;
    }
    this.#bytes += bytes;
    this.#workMs += workMs;
    const isFlood = this.#bytes >= FLOOD_BYTES || this.#workMs >= FLOOD_WORK_MS;
    if (!isFlood || this.#timer !== undefined) return;
    paused.add(this);
    terminal.pause();
    const pauseMs = Math.min(MAX_PAUSE_MS, TURN_MS * paused.size);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#bytes = 0;
      this.#workMs = 0;
      paused.delete(this);
      terminal.resume();
    }, pauseMs);
  }
}
