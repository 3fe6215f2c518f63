/** Plays a timeline on a screen: from any event on, at any speed, and stops where it is told to. */
import { Screen } from '../../screen/screen.ts';
import type { Timeline } from './timeline.ts';

export interface PlayerFrame {
  screen: Screen;
  atMs: number;
  isPaused: boolean;
  isOver: boolean;
}

export class Player {
  readonly #timeline: Timeline;
  readonly #speed: number;
  readonly #show: (shown: PlayerFrame) => void;
  #screen: Screen;
  /** The next event. */
  #next = 0;
  /** Where we are, and since when. */
  #atMs = 0;
  #sinceMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isPaused = true;

  constructor(timeline: Timeline, speed: number, show: (shown: PlayerFrame) => void) {
    this.#timeline = timeline;
    this.#speed = speed;
    this.#show = show;
    this.#screen = this.#blank();
  }

  start(): void {
    this.#isPaused = false;
    this.#sinceMs = performance.now();
    this.#play();
  }

  pause(): void {
    this.#atMs = this.#now();
    this.#isPaused = true;
    clearTimeout(this.#timer);
    this.#tell();
  }

  toggle(): void {
    if (this.#isPaused) this.start();
    else this.pause();
  }

  /** To the next mark, or to the one before; false where there is none. */
  seek(direction: 'next' | 'previous'): boolean {
    const { marks } = this.#timeline;
    // The mark that is being shown is not the one before.
    const before = marks.filter(({ at }) => at < this.#next - 1);
    const mark = direction === 'next' ? marks.find(({ at }) => at >= this.#next) : before.at(-1);
    if (mark === undefined) return false;
    this.#goTo(mark.at + 1, mark.atMs);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#screen.dispose();
  }

  #goTo(next: number, atMs: number): void {
    clearTimeout(this.#timer);
    if (next < this.#next) {
      this.#screen.dispose();
      this.#screen = this.#blank();
      this.#next = 0;
    }
    while (this.#next < next) this.#happen();
    this.#atMs = atMs;
    this.#sinceMs = performance.now();
    this.#tell();
    if (!this.#isPaused) this.#play();
  }

  #play(): void {
    const now = this.#now();
    const { events } = this.#timeline;
    while (this.#next < events.length && events[this.#next]!.atMs <= now) this.#happen();
    this.#tell();
    const next = events[this.#next];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#play(), (next.atMs - now) / this.#speed);
  }

  #happen(): void {
    const { code, data } = this.#timeline.events[this.#next++]!;
    if (code === 'o') this.#screen.write(Buffer.from(data));
    if (code !== 'r') return;
    const [, cols, rows] = /^(\d+)x(\d+)$/.exec(data)?.map(Number) ?? [];
    if (cols && rows) this.#screen.resize(cols, rows);
  }

  #now(): number {
    const passedMs = this.#isPaused ? 0 : (performance.now() - this.#sinceMs) * this.#speed;
    return this.#atMs + passedMs;
  }

  #blank(): Screen {
    const { cols, rows } = this.#timeline;
    return new Screen({ cols, rows });
  }

  #tell(): void {
    this.#show({
      screen: this.#screen,
      atMs: Math.min(this.#now(), this.#timeline.durationMs),
      isPaused: this.#isPaused,
      isOver: this.#next === this.#timeline.events.length,
    });
  }
}
