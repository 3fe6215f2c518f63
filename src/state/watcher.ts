/**
 * Asks whose turn it is, again and again, as long as somebody wants to know.
 *
 * It asks at once when something has happened (output, input, an exit), in every turn of the event
 * loop for a moment after that, since most answers take less than a millisecond, and then ever more
 * rarely. With nobody watching it costs nothing.
 */
import { closeKept } from '../pty/proc.ts';
import type { Verdict } from './verdict.ts';

/** How long after an event every turn of the event loop asks. */
const EAGER_MS = 2;
const FIRST_PAUSE_MS = 1;
const PAUSE_GROWTH = 1.5;
/** A program that becomes ready without a word is noticed within this. */
const LONGEST_PAUSE_MS = 10;
/** While a program certainly waits nothing changes without an event; this is for the unforeseen. */
const SETTLED_PAUSE_MS = 250;
/** All watchers together may use this share of one processor for their unprompted questions. */
const SHARE = 0.25;

/** The next wait often comes soon after the last: what is kept open for it stays so long. */
const IDLE_MS = 1000;

export type Listener = (verdict: Verdict) => void;

/** What one question costs, on average, and how many watchers ask. */
const load = { costMs: 0.3, watchers: 0 };

export class Watcher {
  readonly #ask: () => Verdict | undefined;
  readonly #listeners = new Set<Listener>();
  #eagerUntilMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #next: { cancel(): void } | undefined;

  /** `ask` returns undefined where things moved while it looked. */
  constructor(ask: () => Verdict | undefined) {
    this.#ask = ask;
  }

  /** Calls back with every verdict from now on, until the function it returns is called. */
  watch(listener: Listener): () => void {
    if (this.#listeners.size === 0) load.watchers++;
    this.#listeners.add(listener);
    this.poke();
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return;
      load.watchers--;
      setTimeout(closeKeptIfIdle, IDLE_MS).unref();
      this.#next?.cancel();
      this.#next = undefined;
    };
  }

  /** Something has happened: ask at once. */
  poke(): void {
    if (this.#listeners.size === 0) return;
    this.#eagerUntilMs = performance.now() + EAGER_MS;
    this.#pauseMs = FIRST_PAUSE_MS;
    this.#next?.cancel();
    this.#next = soon(() => this.#question());
  }

  #question(): void {
    const before = performance.now();
    const verdict = this.#ask();
    const after = performance.now();
    load.costMs += (after - before - load.costMs) / 50;
    this.#next = undefined;
    this.#schedule(after, verdict);
    if (verdict === undefined) return;
    for (const listener of [...this.#listeners]) listener(verdict);
  }

  #schedule(nowMs: number, verdict: Verdict | undefined): void {
    if (verdict?.state === 'exited') return;
    if (nowMs < this.#eagerUntilMs) {
      this.#next = soon(() => this.#question());
      return;
    }
    const isSettled = verdict?.state === 'waiting' && verdict.certainty === 'certain';
    const pauseMs = isSettled ? SETTLED_PAUSE_MS : this.#pauseMs;
    this.#pauseMs = Math.min(this.#pauseMs * PAUSE_GROWTH, LONGEST_PAUSE_MS);
    const fairMs = (load.watchers * load.costMs) / SHARE;
    this.#next = later(() => this.#question(), Math.max(pauseMs, fairMs));
  }
}

const closeKeptIfIdle = () => {
  if (load.watchers === 0) closeKept();
};

const soon = (act: () => void) => {
  const handle = setImmediate(act);
  return { cancel: () => clearImmediate(handle) };
};

const later = (act: () => void, delayMs: number) => {
  const handle = setTimeout(act, delayMs);
  return { cancel: () => clearTimeout(handle) };
};
