/** A clock for tests that can be moved forward. */
import { type Clock, systemClock } from '../../src/dialects/shared/clock.ts';

/** Shows the real time plus all jumps. A jump runs the timers that are due by then, in order. */
export class JumpingClock implements Clock {
  readonly #timers = new Set<{ dueMs: number; fire: () => void; cancel: () => void }>();
  #jumpedMs = 0;

  /** How many timers have not fired yet. */
  get pending(): number {
    return this.#timers.size;
  }

  now(): number {
    return systemClock.now() + this.#jumpedMs;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueMs: this.now() + ms, fire: () => {}, cancel: () => {} };
    const cancelReal = systemClock.after(ms, () => timer.fire());
    timer.cancel = () => {
      cancelReal();
      this.#timers.delete(timer);
    };
    timer.fire = () => {
      timer.cancel();
      callback();
    };
    this.#timers.add(timer);
    return timer.cancel;
  }

  jump(ms: number): void {
    const untilMs = this.now() + ms;
    for (;;) {
      const [next] = [...this.#timers].sort((a, b) => a.dueMs - b.dueMs);
      if (next === undefined || next.dueMs > untilMs) break;
      this.#jumpedMs += Math.max(0, next.dueMs - this.now());
      next.fire();
    }
    this.#jumpedMs += Math.max(0, untilMs - this.now());
  }
}
