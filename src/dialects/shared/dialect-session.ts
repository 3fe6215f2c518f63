/**
 * One session that a dialect opened for its agent: typing, waiting, signals, the end.
 *
 * The dialect decides what to keep of the output and what ends a wait. This class decides when to
 * check again.
 */

import { MAX_TIMER_MS } from '../../session/options/options.ts';
import type { CallOptions, SessionEvent, SessionResult, Sessions } from '../../session/sessions.ts';
import type { WaitingFor } from '../../state/verdict.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { CloseOptions } from '../../system/terminal/terminal.ts';
import type { Clock } from './clock.ts';

/** Receives output as it arrives. */
export interface OutputSink {
  push(bytes: Uint8Array): void;
}

/** The program waits for input. */
export interface ReadyForInput {
  waitingFor: WaitingFor | undefined;
  /** False if the evidence has another, rarer explanation. */
  isCertain: boolean;
}

export interface DialectWaitOptions {
  ms: number;
  /** Ends the wait. Checked after every event of the session. */
  until: () => boolean;
  /** Ends the wait as well. Checked whenever the program waits for input. */
  orReady?: ((ready: ReadyForInput) => boolean) | undefined;
  /** Whether `orReady` is asked only if that is certain. @default true */
  onlyIfCertain?: boolean;
  /** Aborts the wait with an error, before any output has been taken. */
  signal?: AbortSignal | undefined;
}

/** After an exit, a background job of the program may hold the output open. Do not wait longer. */
const AFTER_EXIT_MS = 50;
/** A program that does not read leaves its input in the queue. The caller does not wait longer. */
const TYPING_MS = 1000;

export class DialectSession<Output extends OutputSink = OutputSink> {
  readonly id: string;
  readonly output: Output;
  readonly startedMs: number;
  /** When the agent last typed to it or read from it. */
  lastUsedMs: number;
  pid = 0;
  exit: Exit | undefined;
  /** No more output can arrive. */
  isOutputEnded = false;
  /** The program has exited, and its output has ended or was waited for long enough. */
  isFinished = false;
  /** Calls in progress, including those that wait for their turn. */
  activeCalls = 0;
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  readonly #onChange = new Set<() => void>();
  #isClosed = false;
  #lastTurn: Promise<unknown> = Promise.resolve();

  constructor(id: string, output: Output, sessions: Sessions, clock: Clock) {
    this.id = id;
    this.output = output;
    this.#sessions = sessions;
    this.#clock = clock;
    this.startedMs = clock.now();
    this.lastUsedMs = this.startedMs;
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'opened') this.pid = event.pid;
    if (event.type === 'output') this.output.push(event.bytes);
    if (event.type === 'exited') this.#onExit(event);
    if (event.type === 'closed') this.#isClosed = true;
    if (event.type === 'ended' || event.type === 'closed') this.isOutputEnded = true;
    if (this.isOutputEnded && this.exit !== undefined) this.isFinished = true;
    this.#notifyChange();
  }

  /** Runs calls on this session one after another. */
  async inTurn<T>(call: () => Promise<T>): Promise<T> {
    const turn = this.#lastTurn.then(call);
    this.#lastTurn = turn.catch(() => {});
    this.activeCalls++;
    try {
      return await turn;
    } finally {
      this.activeCalls--;
    }
  }

  /** Resolves when the terminal has accepted the text, or after `TYPING_MS` in which nobody is asked. */
  async type(text: string, call: CallOptions): Promise<void> {
    let cancel = () => {};
    let onAsking: NonNullable<CallOptions['onAsking']> = () => {};
    const timeout = new Promise<void>((resolve) => {
      const start = () => {
        cancel = this.#clock.after(TYPING_MS, resolve);
      };
      onAsking = (asked) => {
        cancel();
        // What comes of it is told by the typing.
        void asked.then(start, start);
      };
      start();
    });
    try {
      const typing = this.#sessions.type(this.id, Buffer.from(text), { ...call, onAsking });
      await Promise.race([typing, timeout]);
    } finally {
      cancel();
    }
  }

  signal(name: NodeJS.Signals): Promise<void> {
    return this.#sessions.signal(this.id, name);
  }

  currentState(): Promise<SessionResult> {
    return this.#sessions.wait({ sessions: [this.id], until: 'now' });
  }

  wait({ ms, until, orReady, onlyIfCertain = true, signal }: DialectWaitOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const settled = new AbortController();
      const settle = (resolveOrReject: () => void) => {
        if (settled.signal.aborted) return;
        settled.abort();
        resolveOrReject();
      };
      const check = () => {
        // `until` throws if its pattern takes too long. The emitter of the event must not see that.
        try {
          if (until()) settle(resolve);
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const cancelTimeout = this.#clock.after(ms, () => settle(resolve));
      const abort = () => settle(() => reject(signal?.reason));
      this.#onChange.add(check);
      signal?.addEventListener('abort', abort);
      settled.signal.addEventListener('abort', () => {
        cancelTimeout();
        this.#onChange.delete(check);
        signal?.removeEventListener('abort', abort);
      });
      if (signal?.aborted) abort();
      check();
      if (orReady)
        for (const isCertain of onlyIfCertain ? [true] : [true, false])
          this.#waitUntilReady(orReady, isCertain, settled.signal).then(
            () => settle(resolve),
            (error) => settle(() => reject(error)),
          );
    });
  }

  /**
   * Ends the program and everything else in its session. After the program's exit its jobs may still
   * run; when they are to end is for the dialect to decide.
   */
  async end(options: CloseOptions = {}): Promise<void> {
    if (!this.#isClosed) await this.#sessions.close(this.id, options);
  }

  /**
   * For an end that the agent has not asked for: a failure (out of descriptors, say) is reported on
   * stderr.
   */
  async endOrWarn(options: CloseOptions = {}): Promise<void> {
    try {
      await this.end(options);
    } catch (error) {
      process.emitWarning(`Session ${this.id} could not be closed: ${(error as Error).message}`);
    }
  }

  #onExit({ exitCode, signal }: { exitCode?: number; signal?: string }): void {
    this.exit = {
      ...(exitCode !== undefined && { code: exitCode }),
      ...(signal !== undefined && { signal }),
    };
    this.#clock.after(AFTER_EXIT_MS, () => {
      this.isFinished = true;
      this.#notifyChange();
    });
  }

  #notifyChange(): void {
    for (const listener of [...this.#onChange]) listener();
  }

  /**
   * Resolves when the program waits for input and `condition` holds, or when `stop` is aborted. After
   * the program's end only `stop` resolves it: the end is for `until` to notice.
   */
  async #waitUntilReady(
    condition: (ready: ReadyForInput) => boolean,
    isCertain: boolean,
    stop: AbortSignal,
  ): Promise<void> {
    const request = {
      sessions: [this.id],
      timeoutMs: MAX_TIMER_MS,
      ...(isCertain && { certainty: 'certain' as const }),
    };
    while (!stop.aborted) {
      let waitingFor: WaitingFor | undefined;
      try {
        ({ waitingFor } = await this.#sessions.wait(request, { signal: stop }));
      } catch (error) {
        if (stop.aborted || this.isOutputEnded) return whenAborted(stop);
        throw error;
      }
      if (this.exit !== undefined) return whenAborted(stop);
      if (condition({ waitingFor, isCertain })) return;
      await this.#nextChange(stop);
    }
  }

  #nextChange(stop: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        this.#onChange.delete(done);
        stop.removeEventListener('abort', done);
        resolve();
      };
      this.#onChange.add(done);
      stop.addEventListener('abort', done);
    });
  }
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
