/**
 * Lets a flood rest that nobody waits for, while somebody waits for an answer elsewhere: ten of them
 * would take both processors, and the answer 40 ms instead of 6. The program that floods blocks
 * meanwhile, as on any slow terminal; nothing is lost.
 */
import type { Channel } from '../../system/terminal/channel.ts';

/** More than this in a moment is a flood. */
const FLOOD_BYTES = 16 * 1024;
const MOMENT_MS = 50;
/** All floods together are given one piece in this time. */
const TURN_MS = 4;
/** However many there are, none has to wait longer for its turn. */
const LONGEST_REST_MS = 200;

/** Those that rest now. */
const resting = new Set<FloodPacing>();

export class FloodPacing {
  #bytes = 0;
  #momentMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Some output has come, and somebody waits for another session. */
  rest(bytes: number, channel: Pick<Channel, 'pause' | 'resume'>): void {
    const nowMs = performance.now();
    if (nowMs - this.#momentMs > MOMENT_MS) {
      this.#momentMs = nowMs;
      this.#bytes = 0;
    }
    this.#bytes += bytes;
    if (this.#bytes < FLOOD_BYTES || this.#timer !== undefined) return;
    resting.add(this);
    channel.pause();
    const restMs = Math.min(LONGEST_REST_MS, TURN_MS * resting.size);
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#bytes = 0;
      resting.delete(this);
      channel.resume();
    }, restMs);
  }
}
