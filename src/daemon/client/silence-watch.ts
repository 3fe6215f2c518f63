/**
 * Notices that the daemon does not answer while something is asked of it.
 *
 * A call may rightly take hours, so its age says nothing. After two seconds without a message the daemon
 * is asked something that it answers at once.
 */
import { isProcessStopped } from '../../system/proc/process-stat.ts';

const INTERVAL_MS = 2000;
/** A process that is stopped (SIGSTOP) does not even try. It may be resumed soon. */
const STOPPED_MS = 6000;
const INTERVALS_OF_SHORTER_LIMIT = 4;

export interface SilenceWatchOptions {
  /** How long it may be silent. */
  limitMs: number;
  isWaiting(): boolean;
  /** Asks for any message at all. */
  ping(): void;
  daemonPid(): number | undefined;
  onSilent(silentMs: number): void;
}

export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  /** Intervals without a message. Counted, since our own process may have been stopped meanwhile. */
  #silentIntervals = 0;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
    this.#intervalMs = Math.min(INTERVAL_MS, options.limitMs / INTERVALS_OF_SHORTER_LIMIT);
  }

  /** Called for each request. */
  start(): void {
    this.#timer ??= setInterval(() => this.#check(), this.#intervalMs).unref();
  }

  /** Called for each message. */
  onMessage(): void {
    this.#silentIntervals = 0;
  }

  /** Called when an answer is overdue: whether the daemon is slow or stopped is known at once. */
  onOverdue(waitedMs: number): void {
    if (this.#options.isWaiting() && this.#isDaemonStopped()) this.#giveUp(waitedMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    this.#silentIntervals = 0;
  }

  #check(): void {
    const { isWaiting, ping, limitMs } = this.#options;
    if (!isWaiting()) {
      this.stop();
      return;
    }
    this.#silentIntervals++;
    if (this.#silentIntervals === 1) ping();
    const silentMs = this.#silentIntervals * this.#intervalMs;
    const isTooLong = silentMs >= limitMs || (silentMs >= STOPPED_MS && this.#isDaemonStopped());
    if (isTooLong) this.#giveUp(silentMs);
  }

  #giveUp(silentMs: number): void {
    this.stop();
    this.#options.onSilent(silentMs);
  }

  #isDaemonStopped(): boolean {
    const pid = this.#options.daemonPid();
    return pid !== undefined && isProcessStopped(pid);
  }
}
