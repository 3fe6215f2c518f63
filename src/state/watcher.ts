/**
 * Asks whose turn it is, again and again, as long as somebody wants to know.
 *
 * It asks at once when the program has said something or exited, in every turn of the event loop for
 * a moment after that, since a program that has drawn its prompt reads within a fraction of a
 * millisecond, and then ever more rarely. Each question takes time from the program, so none is asked
 * at once where only something was typed, and no answer can be there yet. Where all who watch are in
 * no hurry it asks as rarely as where it is certain that the program waits. With nobody watching it
 * costs nothing.
 */
import { closeProcFiles } from '../system/proc/proc.ts';
import type { Verdict } from './verdict.ts';

/** How long after an event every turn of the event loop asks. */
const EAGER_MS = 1;
/** On a busy machine a program that has drawn its prompt may take so long to read. */
const SPOKEN_MS = 10;
const FIRST_PAUSE_MS = 1;
/** Nearly every answer begins with output, which is heard of at once: this is for the others. */
const TYPED_PAUSE_MS = 3;
const PAUSE_GROWTH = 2;
/** A program that becomes ready without a word is noticed within this. */
const LONGEST_PAUSE_MS = 10;
/** While a program certainly waits nothing changes without an event; this is for the unforeseen. */
const SETTLED_PAUSE_MS = 250;
/** Whoever only shows a state to a person need not know it sooner after an event, or without one. */
const LEISURELY_MS = { first: 50, longest: 250 };
/**
 * All watchers in a hurry together may use this share of one processor for their unprompted
 * questions, and so may all others.
 */
const SHARE = 0.25;

/** The next wait often comes soon after the last: what is kept open for it stays so long. */
const IDLE_MS = 1000;

/**
 * In a flood every answer is out of date before it is given, or the screen has much to catch up with:
 * questions that fail so often, or take so long, leave time for the flood before the next one. Where
 * nothing more comes there is no flood, and no long rest.
 */
const FAILURES = 8;
const FAILURE_REST_MS = 2;
const DEAR_MS = 1;
const DEAR_REST = 3;
/** A flood that pauses for so long is over, and the rest with it. */
const EBB_MS = 5;
/** One alone may be dear because the machine did something else meanwhile. */
const DEAR_IN_A_ROW = 2;

export type VerdictListener = (verdict: Verdict) => void;

export interface WatchOptions {
  /** A change that nothing announces may be noticed late. @default false */
  leisurely?: boolean;
}

/** What one question costs, on average, and how many watchers ask, in a hurry or not. */
const load = { costMs: 0.3, hurried: 0, leisurely: 0, hurriedMs: Number.NEGATIVE_INFINITY };

/** Whoever has waited for longer does not mind a few milliseconds more. */
const FRESH_MS = 250;

/** Whether an answer is awaited that may come any moment. */
export const isAnswerAwaited = (): boolean =>
  load.hurried > 0 && performance.now() - load.hurriedMs < FRESH_MS;

type Pace = 'hurried' | 'leisurely';

export class Watcher {
  readonly #ask: () => Verdict | undefined;
  readonly #listeners = new Map<VerdictListener, WatchOptions>();
  #eagerUntilMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #pace: Pace | undefined;
  #proddedMs = Number.NEGATIVE_INFINITY;
  #failures = 0;
  #dear = 0;
  #restUntilMs = 0;
  #next: ScheduledCall | undefined;

  /** `ask` returns undefined where things moved while it looked. */
  constructor(ask: () => Verdict | undefined) {
    this.#ask = ask;
  }

  /** Whether anybody in a hurry watches. */
  get isHurried(): boolean {
    return this.#pace === 'hurried';
  }

  /** Calls back with every verdict from now on, until the function it returns is called. */
  watch(listener: VerdictListener, watching: WatchOptions = {}): () => void {
    this.#listeners.set(listener, watching);
    this.#keepPace();
    const isTyped = performance.now() < this.#proddedMs + TYPED_PAUSE_MS;
    if (isTyped || this.#pace === 'leisurely') this.#askSoon();
    else this.#askAt(soon(() => this.#question()));
    return () => {
      if (!this.#listeners.delete(listener)) return;
      this.#keepPace();
      if (this.#listeners.size > 0) return;
      setTimeout(closeKeptIfIdle, IDLE_MS).unref();
      this.#next?.cancel();
      this.#next = undefined;
    };
  }

  /** Something has happened: ask at once, if anybody is in a hurry. */
  onOutput(): void {
    if (this.#pace !== 'hurried') {
      this.#askSoon();
      return;
    }
    this.#eagerUntilMs = performance.now() + EAGER_MS;
    this.#pauseMs = FIRST_PAUSE_MS;
    const restMs = this.#restUntilMs - performance.now();
    const ask = () => this.#question();
    this.#askAt(restMs > 0 ? later(ask, Math.min(restMs, EBB_MS)) : soon(ask));
  }

  /** The program has exited: there is nothing left to rest for. */
  onExit(): void {
    this.#restUntilMs = 0;
    this.onOutput();
  }

  /** Something will happen: ask soon. */
  onInput(): void {
    this.#proddedMs = performance.now();
    this.#askSoon();
  }

  #askSoon(): void {
    if (this.#pace === undefined) return;
    this.#pauseMs = this.#pace === 'hurried' ? TYPED_PAUSE_MS : LEISURELY_MS.first;
    if (this.#next !== undefined && this.#next.dueMs <= performance.now() + this.#pauseMs) return;
    this.#askAt(later(() => this.#question(), this.#pauseMs));
  }

  #askAt(appointment: ScheduledCall): void {
    this.#next?.cancel();
    this.#next = appointment;
  }

  #keepPace(): void {
    if (this.#pace !== undefined) load[this.#pace]--;
    const wishes = [...this.#listeners.values()];
    const isLeisurely = wishes.every(({ leisurely }) => leisurely);
    this.#pace = wishes.length === 0 ? undefined : isLeisurely ? 'leisurely' : 'hurried';
    if (this.#pace !== undefined) load[this.#pace]++;
    if (this.#pace === 'hurried') load.hurriedMs = performance.now();
  }

  #question(): void {
    const before = performance.now();
    const verdict = this.#ask();
    const after = performance.now();
    load.costMs += (after - before - load.costMs) / 50;
    this.#failures = verdict === undefined ? this.#failures + 1 : 0;
    this.#dear = after - before > DEAR_MS ? this.#dear + 1 : 0;
    const failureRestMs = this.#failures > FAILURES ? FAILURE_REST_MS : 0;
    const isFlood = this.#dear >= DEAR_IN_A_ROW;
    this.#restUntilMs = after + (isFlood ? (after - before) * DEAR_REST : failureRestMs);
    this.#next = undefined;
    this.#schedule(after, verdict);
    if (verdict === undefined) return;
    for (const listener of [...this.#listeners.keys()]) listener(verdict);
  }

  #schedule(nowMs: number, verdict: Verdict | undefined): void {
    if (verdict?.state === 'exited' || this.#pace === undefined) return;
    if (nowMs < this.#restUntilMs) {
      const restMs = Math.min(this.#restUntilMs - nowMs, LONGEST_PAUSE_MS);
      this.#next = later(() => this.#question(), restMs);
      return;
    }
    if (nowMs < this.#eagerUntilMs) {
      this.#next = soon(() => this.#question());
      return;
    }
    // Nearly every program says something before it waits; to be asked meanwhile slows it down.
    const hasSpoken = nowMs < this.#eagerUntilMs + SPOKEN_MS;
    if (verdict?.state === 'working' && !hasSpoken)
      this.#pauseMs = Math.max(this.#pauseMs, LONGEST_PAUSE_MS);
    const isSettled = verdict?.state === 'waiting' && verdict.certainty === 'certain';
    const pauseMs = isSettled ? SETTLED_PAUSE_MS : this.#pauseMs;
    const longestMs = this.#pace === 'leisurely' ? LEISURELY_MS.longest : LONGEST_PAUSE_MS;
    this.#pauseMs = Math.min(this.#pauseMs * PAUSE_GROWTH, longestMs);
    const fairMs = (load[this.#pace] * load.costMs) / SHARE;
    this.#next = later(() => this.#question(), Math.max(pauseMs, fairMs));
  }
}

const closeKeptIfIdle = () => {
  if (load.hurried === 0) closeProcFiles();
};

interface ScheduledCall {
  dueMs: number;
  cancel(): void;
}

const soon = (act: () => void): ScheduledCall => {
  const handle = setImmediate(act);
  return { dueMs: 0, cancel: () => clearImmediate(handle) };
};

const later = (act: () => void, delayMs: number): ScheduledCall => {
  const handle = setTimeout(act, delayMs);
  return { dueMs: performance.now() + delayMs, cancel: () => clearTimeout(handle) };
};
