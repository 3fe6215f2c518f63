import { type Clock, systemClock } from '../../src/dialects/shared/clock.ts';

/** The real time, which can be moved forward: what is due by then happens, in its order. */
export class JumpingClock implements Clock {
  readonly #due = new Set<{ atMs: number; act: () => void; cancel: () => void }>();
  #ahead = 0;

  /** Timers that have not gone off. */
  get pending(): number {
    return this.#due.size;
  }

  now(): number {
    return systemClock.now() + this.#ahead;
  }

  after(ms: number, act: () => void): () => void {
    const timer = { atMs: this.now() + ms, act: () => {}, cancel: () => {} };
    const stop = systemClock.after(ms, () => timer.act());
    timer.cancel = () => {
      stop();
      this.#due.delete(timer);
    };
    timer.act = () => {
      timer.cancel();
      act();
    };
    this.#due.add(timer);
    return timer.cancel;
  }

  jump(ms: number): void {
    const untilMs = this.now() + ms;
    for (;;) {
      const [next] = [...this.#due].sort((a, b) => a.atMs - b.atMs);
      if (next === undefined || next.atMs > untilMs) break;
      this.#ahead += Math.max(0, next.atMs - this.now());
      next.act();
    }
    this.#ahead += Math.max(0, untilMs - this.now());
  }
}
