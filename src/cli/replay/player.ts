/** Plays a timeline on a screen, at any speed, with pauses and jumps to marks. */
import { Screen } from '../../screen/screen.ts';
import type { RecordingTimeline } from './timeline.ts';

export interface PlayerFrame {
  screen: Screen;
  atMs: number;
  isPaused: boolean;
  isOver: boolean;
}

export class RecordingPlayer {
  readonly #timeline: RecordingTimeline;
  readonly #speed: number;
  readonly #onFrame: (frame: PlayerFrame) => void;
  #screen: Screen;
  #nextIndex = 0;
  /** The position in the recording at `#sinceMs`, a time of `performance.now()`. */
  #atMs = 0;
  #sinceMs = 0;
  #timer: NodeJS.Timeout | undefined;
  #isPaused = true;

  constructor(timeline: RecordingTimeline, speed: number, onFrame: (frame: PlayerFrame) => void) {
    this.#timeline = timeline;
    this.#speed = speed;
    this.#onFrame = onFrame;
    this.#screen = this.#newScreen();
  }

  start(): void {
    this.#isPaused = false;
    this.#sinceMs = performance.now();
    this.#play();
  }

  pause(): void {
    this.#atMs = this.#position();
    this.#isPaused = true;
    clearTimeout(this.#timer);
    this.#emitFrame();
  }

  toggle(): void {
    if (this.#isPaused) this.start();
    else this.pause();
  }

  /** Goes to the next or the previous mark. Returns false if there is none. */
  seek(direction: 'next' | 'previous'): boolean {
    const { marks } = this.#timeline;
    // The current mark was the last event; the previous mark comes before it.
    const mark =
      direction === 'next'
        ? marks.find(({ index }) => index >= this.#nextIndex)
        : marks.findLast(({ index }) => index < this.#nextIndex - 1);
    if (mark === undefined) return false;
    this.#goTo(mark.index + 1, mark.atMs);
    return true;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#screen.dispose();
  }

  #goTo(index: number, atMs: number): void {
    clearTimeout(this.#timer);
    if (index < this.#nextIndex) {
      this.#screen.dispose();
      this.#screen = this.#newScreen();
      this.#nextIndex = 0;
    }
    while (this.#nextIndex < index) this.#applyNextEvent();
    this.#atMs = atMs;
    this.#sinceMs = performance.now();
    this.#emitFrame();
    if (!this.#isPaused) this.#play();
  }

  #play(): void {
    const position = this.#position();
    const { events } = this.#timeline;
    while (this.#nextIndex < events.length && events[this.#nextIndex]!.atMs <= position)
      this.#applyNextEvent();
    this.#emitFrame();
    const next = events[this.#nextIndex];
    if (next === undefined) return;
    this.#timer = setTimeout(() => this.#play(), (next.atMs - position) / this.#speed);
  }

  #applyNextEvent(): void {
    const { code, data } = this.#timeline.events[this.#nextIndex++]!;
    if (code === 'o') this.#screen.write(Buffer.from(data));
    if (code !== 'r') return;
    const [, cols, rows] = /^(\d+)x(\d+)$/.exec(data)?.map(Number) ?? [];
    if (cols && rows) this.#screen.resize(cols, rows);
  }

  /** Where in the recording we are now, in milliseconds. */
  #position(): number {
    const passedMs = this.#isPaused ? 0 : (performance.now() - this.#sinceMs) * this.#speed;
    return this.#atMs + passedMs;
  }

  #newScreen(): Screen {
    const { cols, rows } = this.#timeline;
    return new Screen({ cols, rows });
  }

  #emitFrame(): void {
    this.#onFrame({
      screen: this.#screen,
      atMs: Math.min(this.#position(), this.#timeline.durationMs),
      isPaused: this.#isPaused,
      isOver: this.#nextIndex === this.#timeline.events.length,
    });
  }
}
