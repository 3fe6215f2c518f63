/**
 * When threads have last run, as far as it is known from looking at them again and again.
 *
 * The kernel tells how often a thread has run, but not when: the times in /proc/PID/sched are on clocks
 * that differ from processor to processor. A count that has changed says that it was after the last look.
 */
import { uptime } from 'node:os';
import { isOutOfDescriptors } from '../descriptors.ts';
import { type ProcReader, realProc } from '../proc/proc.ts';
import type { BlockingCall } from '../proc/syscalls.ts';
import { isCountOfRuns, type ThreadId, timesScheduled } from '../proc/thread-info.ts';

/** A thread that was found asleep. */
export interface SleepingThread extends ThreadId {
  /** How often it has run. */
  count: string | undefined;
  call: BlockingCall;
  /** In clock ticks since boot. */
  startTime: number;
}

interface KnownThread extends Omit<SleepingThread, 'call'> {
  /** In which it was found asleep, if it has not run since. */
  call?: BlockingCall | undefined;
  /** When it had this count, at the latest. */
  seenMs: number;
  /** It has run after this. */
  ranAfterMs: number;
  /** How often it was found to have run since the last event. */
  wakes: number;
}

export type RememberedCall = Pick<SleepingThread, 'call' | 'startTime'>;

export interface ThreadPast {
  sleptAtMostMs: number;
  wakes: number;
}

/** More than a program has that we talk to. */
const MAX_THREADS = 1024;
const MS_PER_CLOCK_TICK = 10;

export class ThreadHistory {
  readonly #threads = new Map<string, KnownThread>();
  readonly #now: () => number;

  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  note(thread: SleepingThread): ThreadPast {
    const before = this.#threads.get(thread.tid);
    // Another thread may have got its id.
    const isSame = before?.startTime === thread.startTime;
    const known = isSame ? before : this.#add(thread);
    this.#update(known, thread.count);
    known.call = thread.call;
    return { sleptAtMostMs: this.#now() - known.ranAfterMs, wakes: known.wakes };
  }

  /**
   * The call in which a thread with this id was found, if it has not run since: it is still in it. Whether
   * it is the same thread, its start time tells.
   */
  remembered({ tid }: ThreadId, count: string | undefined): RememberedCall | undefined {
    const known = this.#threads.get(tid);
    if (known?.call === undefined || known.count !== count || !isCountOfRuns(count))
      return undefined;
    return { call: known.call, startTime: known.startTime };
  }

  forget({ tid }: ThreadId): void {
    this.#threads.delete(tid);
  }

  /** The program has printed something. */
  onOutput(): void {
    for (const known of this.#threads.values()) known.wakes = 0;
  }

  /**
   * Something is about to be typed. Who runs from now on has run since. Programs have many threads that
   * wait for another one: they are not looked at, and if one has a time-out, it comes later than we say.
   */
  onInput(proc: ProcReader = realProc): void {
    try {
      for (const known of this.#threads.values()) {
        if (known.call?.name !== 'futex') this.#lookAt(known, proc);
        known.wakes = 0;
      }
    } catch (error) {
      if (!isOutOfDescriptors(error)) throw error;
      // It can be typed all the same, and nothing is known any more.
      this.#threads.clear();
    }
  }

  #lookAt(known: KnownThread, proc: ProcReader): void {
    const count = timesScheduled(known, proc);
    if (count === undefined) this.#threads.delete(known.tid);
    else this.#update(known, count);
  }

  #add(thread: SleepingThread): KnownThread {
    const nowMs = this.#now();
    const ageMs = uptime() * 1000 - thread.startTime * MS_PER_CLOCK_TICK;
    const known = { ...thread, seenMs: nowMs, ranAfterMs: nowMs - ageMs, wakes: 0 };
    if (this.#threads.size >= MAX_THREADS) this.#threads.clear();
    this.#threads.set(thread.tid, known);
    return known;
  }

  #update(known: KnownThread, count: string | undefined): void {
    if (count !== known.count) {
      known.count = count;
      known.call = undefined;
      known.ranAfterMs = known.seenMs;
      known.wakes++;
    }
    known.seenMs = this.#now();
  }
}
