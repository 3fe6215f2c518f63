/** Plays a recording in a terminal, at any speed, from any moment. */

import type { TerminalPane } from '../terminal/terminal-pane.ts';
import type { PlayedCast } from './cast.ts';

export interface PlayerState {
  atMs: number;
  isPlaying: boolean;
}

/** Whether a person thought or a build ran meanwhile: there is nothing to see. */
const IDLE_LIMIT_MS = 2000;
const FRAME_MS = 40;
/** The output that an input or a mark causes comes a moment after it. */
export const AFTER_MS = 50;

export class CastPlayer {
  readonly #cast: PlayedCast;
  readonly #pane: TerminalPane;
  readonly #onState: (state: PlayerState) => void;
  #next = 0;
  #atMs = 0;
  #sinceMs = 0;
  #timer: ReturnType<typeof setInterval> | undefined;
  speed = 1;

  constructor(cast: PlayedCast, pane: TerminalPane, onState: (state: PlayerState) => void) {
    this.#cast = cast;
    this.#pane = pane;
    this.#onState = onState;
    this.#reset();
  }

  get isPlaying(): boolean {
    return this.#timer !== undefined;
  }

  toggle(): void {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.#next >= this.#cast.events.length) this.seek(0);
    this.#sinceMs = performance.now();
    this.#timer = setInterval(() => this.#play(), FRAME_MS);
    this.#tell();
  }

  pause(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#tell();
  }

  /** Shows the screen as it was then. */
  seek(atMs: number): void {
    const target = Math.max(0, Math.min(atMs, this.#cast.durationMs));
    if (target < this.#atMs || this.#next === 0) this.#reset();
    this.#playTo(target);
    this.#sinceMs = performance.now();
    this.#tell();
  }

  /** Returns false if there is none. */
  jump(direction: 'next' | 'previous'): boolean {
    const commands = this.#cast.marks.filter(({ isCommand }) => isCommand);
    const mark =
      direction === 'next'
        ? commands.find(({ atMs }) => atMs + AFTER_MS > this.#atMs + 1)
        : commands.findLast(({ atMs }) => atMs + AFTER_MS < this.#atMs - 1);
    if (mark === undefined) return false;
    this.seek(mark.atMs + AFTER_MS);
    return true;
  }

  dispose(): void {
    clearInterval(this.#timer);
  }

  #play(): void {
    const now = performance.now();
    let target = this.#atMs + (now - this.#sinceMs) * this.speed;
    this.#sinceMs = now;
    const next = this.#cast.events[this.#next];
    // A long pause is shown as a short one.
    if (next !== undefined && next.atMs - target > IDLE_LIMIT_MS)
      target = next.atMs - IDLE_LIMIT_MS;
    this.#playTo(Math.min(target, this.#cast.durationMs));
    if (this.#next >= this.#cast.events.length) this.pause();
    else this.#tell();
  }

  #playTo(atMs: number): void {
    const { events } = this.#cast;
    let output = '';
    for (; this.#next < events.length && events[this.#next]!.atMs <= atMs; this.#next++) {
      const { code, data } = events[this.#next]!;
      if (code === 'o') output += data;
      if (code !== 'r') continue;
      this.#pane.terminal.write(output);
      output = '';
      const [, cols, rows] = /^(\d+)x(\d+)$/.exec(data)?.map(Number) ?? [];
      // In its turn: xterm writes later, and resizes at once.
      if (cols && rows) this.#pane.terminal.write('', () => this.#pane.resize(cols, rows));
    }
    if (output !== '') this.#pane.terminal.write(output);
    this.#atMs = atMs;
  }

  #reset(): void {
    const { cols, rows } = this.#cast;
    this.#pane.show('', cols, rows, () => {});
    this.#next = 0;
    this.#atMs = 0;
  }

  #tell(): void {
    this.#onState({ atMs: this.#atMs, isPlaying: this.isPlaying });
  }
}
