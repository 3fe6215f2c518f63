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
import { type ThreadId, timesScheduled } from '../proc/thread-info.ts';

/** A thread that was found asleep. */
export interface SleepingThread extends ThreadId {
  /** How often it has run. */
  count: string | undefined;
  call: BlockingCall;
  /** Of its process, in clock ticks since boot. */
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
    const known = this.#threads.get(thread.tid) ?? this.#add(thread);
    this.#update(known, thread.count);
    known.call = thread.call;
    known.startTime = thread.startTime;
    return { sleptAtMostMs: this.#now() - known.ranAfterMs, wakes: known.wakes };
  }

  /** The call in which the thread was found, if it has not run since: it is still in it. */
  callOf({ tid, count, startTime }: Omit<SleepingThread, 'call'>): BlockingCall | undefined {
    const known = this.#threads.get(tid);
    const isSame = count !== undefined && known?.count === count && known.startTime === startTime;
    return isSame ? known.call : undefined;
  }

  /** The program has printed something. */
  onOutput(): void {
    for (const known of this.#threads.values()) known.wakes = 0;
  }

  /**
   * Something is about to be typed. Who runs from now on has run since. Threads that wait for another
   * thread are not looked at, as programs have many: should one have a time-out, it comes sooner than we say.
   */
  onInput(proc: ProcReader = realProc): void {
    try {
      for (const known of this.#threads.values())
        if (known.call?.name !== 'futex') this.#lookAt(known, proc);
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
    known.wakes = 0;
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
