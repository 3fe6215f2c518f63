/**
 * The sessions of one dialect in one server: they end with it. How many there may be, and which must
 * go, is the dialect's to say.
 */

import { LocalSessions } from '../../session/local-sessions.ts';
import type { OpenOptions } from '../../session/options/options.ts';
import type { CloseOptions } from '../../system/terminal/channel.ts';
import type { Clock } from './clock.ts';
import { DialectSession, type OutputSink } from './dialect-session.ts';

/** The output is kept by the dialect; the screen needs its own only to know whose turn it is. */
const HISTORY = { maxBytes: 256 * 1024, maxLines: 200 };
/** Between asking and killing, when the server ends. */
const SHUTDOWN_MS = 250;

export class DialectSessions<Kept extends OutputSink> {
  readonly #clock: Clock;
  readonly #engine = new LocalSessions({ maxSessions: Number.POSITIVE_INFINITY });
  readonly #running = new Map<string, DialectSession<Kept>>();
  readonly #opening = new Map<string, () => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#engine.subscribe((event) => {
      this.#running.get(event.session)?.onEvent(event);
      if (event.type === 'opened') this.#opening.get(event.session)?.();
      if (event.type === 'closed') this.#running.delete(event.session);
    });
  }

  /** Starts it, and waits for nothing. */
  async open(id: string, output: Kept, options: OpenOptions): Promise<DialectSession<Kept>> {
    const session = new DialectSession(id, output, this.#engine, this.#clock);
    this.#running.set(id, session);
    try {
      await new Promise<void>((resolve, reject) => {
        // In the next turn it can also be found.
        this.#opening.set(id, () => setImmediate(resolve));
        const request = { history: HISTORY, ...options, name: id, timeoutMs: 0 };
        this.#engine.open(request).then(() => resolve(), reject);
      });
    } catch (error) {
      this.#running.delete(id);
      throw error;
    } finally {
      this.#opening.delete(id);
    }
    return session;
  }

  async close(options: CloseOptions = { graceMs: SHUTDOWN_MS }): Promise<void> {
    await this.#engine.closeAll(options);
  }
}
