/**
 * A session that a dialect has opened for its agent: what becomes of its output is the dialect's
 * affair, and so is what ends a wait; when to look again is not.
 */

import { LONGEST_MS } from '../../session/options/options.ts';
import type { SessionEvent, SessionResult, Sessions } from '../../session/sessions.ts';
import type { Exit } from '../../system/process/reaper.ts';
import type { CloseOptions } from '../../system/terminal/channel.ts';
import type { Clock } from './clock.ts';

/** Where output goes as it comes. */
export interface OutputSink {
  push(bytes: Uint8Array): void;
}

export interface DialectWait {
  ms: number;
  /** Ends the wait. Asked whenever something has happened. */
  until: () => boolean;
  /** Ends the wait as well. Asked whenever the program waits for input. */
  orReady?: (() => boolean) | undefined;
  /** Whether that must be certain. @default true */
  onlyIfCertain?: boolean;
  /** Ends the wait with an error, before anything has been taken from the output. */
  signal?: AbortSignal | undefined;
}

/** Something may hold the output open after the program has exited: a job that it left behind. */
const AFTER_EXIT_MS = 50;
/** A program that does not read leaves its input in the queue, and the caller need not wait for it. */
const TYPING_MS = 1000;

export class DialectSession<Kept extends OutputSink = OutputSink> {
  readonly id: string;
  readonly output: Kept;
  readonly startedMs: number;
  /** When it was last typed to or read. */
  usedMs: number;
  pid = 0;
  exit: Exit | undefined;
  /** No output can come any more. */
  isEnded = false;
  /** It has exited, and no output is to be waited for. */
  isOver = false;
  /** Calls in progress. */
  calls = 0;
  readonly #sessions: Sessions;
  readonly #clock: Clock;
  readonly #onChange = new Set<() => void>();
  #isClosed = false;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(id: string, output: Kept, sessions: Sessions, clock: Clock) {
    this.id = id;
    this.output = output;
    this.#sessions = sessions;
    this.#clock = clock;
    this.startedMs = clock.now();
    this.usedMs = this.startedMs;
  }

  onEvent(event: SessionEvent): void {
    if (event.type === 'opened') this.pid = event.pid;
    if (event.type === 'output') this.output.push(event.bytes);
    if (event.type === 'exited') this.#exited(event);
    if (event.type === 'closed') this.#isClosed = true;
    if (event.type === 'ended' || event.type === 'closed') this.isEnded = true;
    if (this.isEnded && this.exit !== undefined) {
      this.isOver = true;
      // All that it said is with us.
      this.endInBackground();
    }
    for (const changed of [...this.#onChange]) changed();
  }

  /** One caller after another. */
  async inTurn<T>(act: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(act);
    this.#queue = turn.catch(() => {});
    this.calls++;
    try {
      return await turn;
    } finally {
      this.calls--;
    }
  }

  /** Resolves when the program's terminal has taken it, or could for too long take no more. */
  async type(text: string): Promise<void> {
    let cancel = () => {};
    const patience = new Promise<void>((resolve) => {
      cancel = this.#clock.after(TYPING_MS, resolve);
    });
    try {
      await Promise.race([this.#sessions.type(this.id, Buffer.from(text)), patience]);
    } finally {
      cancel();
    }
  }

  signal(name: NodeJS.Signals): Promise<void> {
    return this.#sessions.signal(this.id, name);
  }

  /** How it stands now. */
  currentState(): Promise<SessionResult> {
    return this.#sessions.wait({ sessions: [this.id], until: 'now' });
  }

  wait({ ms, until, orReady, onlyIfCertain: surely = true, signal }: DialectWait): Promise<void> {
    return new Promise((resolve, reject) => {
      const over = new AbortController();
      const settle = (act: () => void) => {
        if (over.signal.aborted) return;
        over.abort();
        act();
      };
      const look = () => {
        // It may look for a pattern that takes too long, and who tells us what happens must not suffer.
        try {
          if (until()) settle(resolve);
        } catch (error) {
          settle(() => reject(error));
        }
      };
      const cancel = this.#clock.after(ms, () => settle(resolve));
      const abort = () => settle(() => reject(signal?.reason));
      this.#onChange.add(look);
      signal?.addEventListener('abort', abort);
      over.signal.addEventListener('abort', () => {
        cancel();
        this.#onChange.delete(look);
        signal?.removeEventListener('abort', abort);
      });
      if (signal?.aborted) abort();
      look();
      if (orReady)
        this.#ready(orReady, surely, over.signal).then(
          () => settle(resolve),
          (error) => settle(() => reject(error)),
        );
    });
  }

  /** Ends the program and all that is in its session. */
  async end(options: CloseOptions = {}): Promise<void> {
    if (!this.#isClosed) await this.#sessions.close(this.id, options);
  }

  /** Nobody waits for that, so where it fails (out of descriptors, say) stderr says so. */
  endInBackground(options: CloseOptions = {}): void {
    this.end(options).catch((error: Error) =>
      process.emitWarning(`Session ${this.id} could not be closed: ${error.message}`),
    );
  }

  #exited({ exitCode, signal }: { exitCode?: number; signal?: string }): void {
    this.exit = {
      ...(exitCode !== undefined && { code: exitCode }),
      ...(signal !== undefined && { signal }),
    };
    this.#clock.after(AFTER_EXIT_MS, () => {
      this.isOver = true;
      for (const changed of [...this.#onChange]) changed();
    });
  }

  /** Resolves when the program waits for input and it holds, or when the signal says that it is too late. */
  async #ready(holds: () => boolean, surely: boolean, tooLate: AbortSignal): Promise<void> {
    const wish = { sessions: [this.id], timeoutMs: LONGEST_MS };
    const waits = [{ ...wish, certainty: 'certain' as const }, ...(surely ? [] : [wish])];
    while (!tooLate.aborted) {
      const turn = new AbortController();
      const signal = AbortSignal.any([tooLate, turn.signal]);
      try {
        await Promise.race(waits.map((each) => this.#sessions.wait(each, { signal })));
      } catch (error) {
        // Its end is what `until` looks for.
        if (tooLate.aborted || this.isEnded) return whenAborted(tooLate);
        throw error;
      } finally {
        turn.abort();
      }
      if (this.exit !== undefined) return whenAborted(tooLate);
      if (holds()) return;
      await this.#nextChange(tooLate);
    }
  }

  #nextChange(tooLate: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const changed = () => {
        this.#onChange.delete(changed);
        tooLate.removeEventListener('abort', changed);
        resolve();
      };
      this.#onChange.add(changed);
      tooLate.addEventListener('abort', changed);
    });
  }
}

const whenAborted = (signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
