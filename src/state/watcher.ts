/**
 * Observes a program again and again, as long as there are listeners, and passes on each verdict.
 *
 * After output or an exit it observes at once. For a moment it then observes in every turn of the event
 * loop, since a program that has drawn its prompt reads within a fraction of a millisecond; but not while
 * it computes and has no processor to itself. After that it observes less and less often. Each
 * observation takes time from the program, so after input alone the first one is delayed: there can be no
 * answer yet. If all listeners are leisurely, it observes as rarely as for a program that certainly waits.
 * Without listeners it costs nothing.
 */
import { isMachineBusy } from '../system/proc/machine-info.ts';
import type { Verdict } from './verdict.ts';

/** How long after an event it observes in every turn of the event loop. */
const EAGER_MS = 1;
/** On a busy machine a program may take this long from drawing its prompt to reading. */
const AFTER_OUTPUT_MS = 10;
const FIRST_PAUSE_MS = 1;
/** Nearly every answer starts with output, which is observed at once. This is for the others. */
const AFTER_INPUT_MS = 3;
const PAUSE_GROWTH = 2;
/** A program that becomes ready without any output is noticed within this time. */
const MAX_PAUSE_MS = 10;
/** While a program certainly waits, nothing changes without an event. This is only a safety net. */
const SETTLED_PAUSE_MS = 250;
/** A listener that only shows the state to a person does not need it sooner. */
const LEISURELY_MS = { first: 50, max: 250 };
/**
 * The share of one processor that all hurried watchers together may use for observations without an
 * event. All leisurely ones may use the same share again.
 */
const MAX_LOAD = 0.25;

/**
 * In a flood of output every observation is out of date before it ends, or takes long because the
 * screen has much to parse, or finds a program that computes on. After too many of them the next one is
 * delayed, to leave time for the flood. When the output stops, the delay ends.
 */
const MAX_FAILURES = 8;
const FAILURE_REST_MS = 2;
const SLOW_MS = 1;
/** A rest takes this many times as long as the slow observation before it. */
const SLOW_REST_FACTOR = 3;
/** A flood that pauses for this long is over, and so is the rest. */
const FLOOD_GAP_MS = 5;
/** A single slow observation may be slow because the machine was busy. */
const SLOW_IN_A_ROW = 2;

export type VerdictListener = (verdict: Verdict) => void;

export interface WatchOptions {
  /** The listener may learn of a change late. @default false */
  leisurely?: boolean;
}

/** Over all watchers: the average cost of an observation, and how many watchers run at each pace. */
const load = { costMs: 0.3, hurried: 0, leisurely: 0, hurriedMs: Number.NEGATIVE_INFINITY };

/** A caller that has waited for longer does not mind a few milliseconds more. */
const NEW_WAIT_MS = 250;

/** Whether some caller has just started to wait, and its answer may come any moment. */
export const isAnswerAwaited = (): boolean =>
  load.hurried > 0 && performance.now() - load.hurriedMs < NEW_WAIT_MS;

type Pace = 'hurried' | 'leisurely';

export class Watcher {
  readonly #observe: () => Verdict | undefined;
  readonly #isMachineBusy: () => boolean;
  readonly #listeners = new Map<VerdictListener, WatchOptions>();
  #eagerUntilMs = 0;
  #pauseMs = FIRST_PAUSE_MS;
  #pace: Pace | undefined;
  #inputMs = Number.NEGATIVE_INFINITY;
  /** Outputs in a row after which the program computed on. */
  #outputs = 0;
  #isAfterOutput = false;
  /** Failed observations in a row, and slow ones. */
  #failures = 0;
  #slow = 0;
  #restUntilMs = 0;
  #next: ScheduledCall | undefined;

  /** `observe` returns undefined if something changed during the observation. */
  constructor(observe: () => Verdict | undefined, isBusy: () => boolean = isMachineBusy) {
    this.#observe = observe;
    this.#isMachineBusy = isBusy;
  }

  /** Whether any listener is in a hurry. */
  get isHurried(): boolean {
    return this.#pace === 'hurried';
  }

  /** How many observations in a row have given no verdict. */
  get failures(): number {
    return this.#failures;
  }

  /** Calls back with every verdict from now on, until the function it returns is called. */
  watch(listener: VerdictListener, options: WatchOptions = {}): () => void {
    this.#listeners.set(listener, options);
    this.#updatePace();
    const isJustTyped = performance.now() < this.#inputMs + AFTER_INPUT_MS;
    if (isJustTyped || this.#pace === 'leisurely') this.#runSoon();
    else this.#replaceNext(immediately(() => this.#run()));
    return () => {
      if (!this.#listeners.delete(listener)) return;
      this.#updatePace();
      if (this.#listeners.size > 0) return;
      this.#next?.cancel();
      this.#next = undefined;
    };
  }

  /** The program has printed something: observe at once, if any listener is in a hurry. */
  onOutput(): void {
    if (this.#pace !== 'hurried') {
      this.#runSoon();
      return;
    }
    this.#isAfterOutput = true;
    this.#eagerUntilMs = performance.now() + EAGER_MS;
    this.#pauseMs = FIRST_PAUSE_MS;
    // Otherwise output in every turn of the event loop would put it off for ever.
    if (this.#next?.dueMs === IMMEDIATELY) return;
    const restMs = this.#restUntilMs - performance.now();
    const run = () => this.#run();
    this.#replaceNext(restMs > 0 ? later(run, Math.min(restMs, FLOOD_GAP_MS)) : immediately(run));
  }

  /** The program has exited: there is no flood to leave time for. */
  onExit(): void {
    this.#restUntilMs = 0;
    this.onOutput();
  }

  /** Something was typed: an answer will follow, so observe soon. */
  onInput(): void {
    this.#inputMs = performance.now();
    this.#outputs = 0;
    this.#runSoon();
  }

  #runSoon(): void {
    if (this.#pace === undefined) return;
    this.#pauseMs = this.#pace === 'hurried' ? AFTER_INPUT_MS : LEISURELY_MS.first;
    if (this.#next !== undefined && this.#next.dueMs <= performance.now() + this.#pauseMs) return;
    this.#replaceNext(later(() => this.#run(), this.#pauseMs));
  }

  #replaceNext(next: ScheduledCall): void {
    this.#next?.cancel();
    this.#next = next;
  }

  #updatePace(): void {
    if (this.#pace !== undefined) load[this.#pace]--;
    const options = [...this.#listeners.values()];
    const isLeisurely = options.every(({ leisurely }) => leisurely);
    this.#pace = options.length === 0 ? undefined : isLeisurely ? 'leisurely' : 'hurried';
    if (this.#pace !== undefined) load[this.#pace]++;
    if (this.#pace === 'hurried') load.hurriedMs = performance.now();
  }

  #run(): void {
    const startMs = performance.now();
    const verdict = this.#observe();
    const endMs = performance.now();
    const costMs = endMs - startMs;
    load.costMs += (costMs - load.costMs) / 50;
    this.#failures = verdict === undefined ? this.#failures + 1 : 0;
    // A program that waits does not flood us, however long it took to find that out.
    const isSlow = costMs > SLOW_MS && verdict?.state !== 'waiting';
    this.#slow = isSlow ? this.#slow + 1 : 0;
    if (isComputing(verdict)) this.#outputs += Number(this.#isAfterOutput);
    else if (verdict !== undefined) this.#outputs = 0;
    this.#isAfterOutput = false;
    const isRepeated = Math.max(this.#failures, this.#outputs) > MAX_FAILURES;
    const failureRestMs = isRepeated ? FAILURE_REST_MS : 0;
    const isFlood = this.#slow >= SLOW_IN_A_ROW;
    this.#restUntilMs = endMs + (isFlood ? costMs * SLOW_REST_FACTOR : failureRestMs);
    this.#next = undefined;
    this.#schedule(endMs, verdict);
    if (verdict === undefined) return;
    for (const listener of [...this.#listeners.keys()]) listener(verdict);
  }

  #schedule(nowMs: number, verdict: Verdict | undefined): void {
    if (verdict?.state === 'exited' || this.#pace === undefined) return;
    if (nowMs < this.#restUntilMs) {
      const restMs = Math.min(this.#restUntilMs - nowMs, MAX_PAUSE_MS);
      this.#next = later(() => this.#run(), restMs);
      return;
    }
    if (nowMs < this.#eagerUntilMs && !(isComputing(verdict) && this.#isMachineBusy())) {
      this.#next = immediately(() => this.#run());
      return;
    }
    // Nearly every program prints something before it waits, and observing it slows it down.
    const hasJustPrinted = nowMs < this.#eagerUntilMs + AFTER_OUTPUT_MS;
    if (verdict?.state === 'working' && !hasJustPrinted)
      this.#pauseMs = Math.max(this.#pauseMs, MAX_PAUSE_MS);
    const isSettled = verdict?.state === 'waiting' && verdict.certainty === 'certain';
    const pauseMs = isSettled ? SETTLED_PAUSE_MS : this.#pauseMs;
    const maxPauseMs = this.#pace === 'leisurely' ? LEISURELY_MS.max : MAX_PAUSE_MS;
    this.#pauseMs = Math.min(this.#pauseMs * PAUSE_GROWTH, maxPauseMs);
    const fairPauseMs = (load[this.#pace] * load.costMs) / MAX_LOAD;
    this.#next = later(() => this.#run(), Math.max(pauseMs, fairPauseMs));
  }
}

const isComputing = (verdict: Verdict | undefined): boolean =>
  verdict?.state === 'working' && verdict.activity === 'computing';

const IMMEDIATELY = 0;

interface ScheduledCall {
  dueMs: number;
  cancel(): void;
}

const immediately = (act: () => void): ScheduledCall => {
  const handle = setImmediate(act);
  return { dueMs: IMMEDIATELY, cancel: () => clearImmediate(handle) };
};

const later = (act: () => void, delayMs: number): ScheduledCall => {
  const handle = setTimeout(act, delayMs);
  return { dueMs: performance.now() + delayMs, cancel: () => clearTimeout(handle) };
};
