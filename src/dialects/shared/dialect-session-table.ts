/**
 * The sessions of one dialect in one server. They end with the server.
 *
 * This is the only table of them: which ids exist, which are being opened, which are unused. The
 * dialect adds its limits, its error messages and its rule for expiry.
 */

import type { SandboxOptions } from '../../session/confinement.ts';
import type { Gate } from '../../session/input/gate.ts';
import { LocalSessions } from '../../session/local-sessions.ts';
import type { OpenOptions } from '../../session/options/options.ts';
import { openRequest } from '../../session/options/requests.ts';
import type { CallOptions } from '../../session/sessions.ts';
import type { Clock } from './clock.ts';
import { DialectError } from './dialect-error.ts';
import { DialectSession, type OutputSink } from './dialect-session.ts';
import { createUnusedId } from './ids.ts';

/** The dialect keeps the output itself; the screen needs a little only to judge whose turn it is. */
const HISTORY = { maxBytes: 256 * 1024, maxLines: 200 };
/** Between the first signal and SIGKILL, when the server ends. */
const SHUTDOWN_MS = 250;

/** A session the agent can name, with the dialect's own data beside it. */
export type KnownDialectSession<Output extends OutputSink, Extra extends object> = Extra & {
  readonly session: DialectSession<Output>;
};

export interface DialectSessionTableOptions {
  clock: Clock;
  sandbox: SandboxOptions;
  gate?: Gate | undefined;
  /** Called again while the id is taken. */
  newId: () => string;
  /** The error message for an id that is not in the table. */
  notFound: (id: string) => string;
}

export class DialectSessionTable<Output extends OutputSink, Extra extends object> {
  readonly #options: DialectSessionTableOptions;
  readonly #engine: LocalSessions;
  /** Those the agent can name. One that has exited stays until the dialect deletes it. */
  readonly #known = new Map<string, KnownDialectSession<Output, Extra>>();
  /** Ids of sessions that are being opened. */
  readonly #reserved = new Set<string>();
  /** Those the engine has, which receive its events. */
  readonly #running = new Map<string, DialectSession<Output>>();
  readonly #onOpened = new Map<string, () => void>();

  constructor(options: DialectSessionTableOptions) {
    this.#options = options;
    const { sandbox, gate } = options;
    this.#engine = new LocalSessions({ maxSessions: Number.POSITIVE_INFINITY, sandbox });
    if (gate !== undefined) this.#engine.gateWith(gate);
    this.#engine.subscribe((event) => {
      this.#running.get(event.session)?.onEvent(event);
      if (event.type === 'opened') this.#onOpened.get(event.session)?.();
      if (event.type === 'closed') this.#running.delete(event.session);
    });
  }

  /** Known sessions and those being opened, each counted once. */
  get count(): number {
    return new Set([...this.#known.keys(), ...this.#reserved]).size;
  }

  /** Reserves an unused id until `act` has settled. Meanwhile it counts as a session. */
  async withNewId<T>(act: (id: string) => Promise<T>): Promise<T> {
    const isTaken = (id: string) => this.#known.has(id) || this.#reserved.has(id);
    const id = createUnusedId(this.#options.newId, isTaken);
    this.#reserved.add(id);
    try {
      return await act(id);
    } finally {
      this.#reserved.delete(id);
    }
  }

  /**
   * Starts a program and returns at once. The agent cannot name the session until it is added. `run`: the
   * one command that the program, a shell, runs.
   */
  async open(
    id: string,
    output: Output,
    options: OpenOptions,
    call: CallOptions = {},
    run?: string,
  ): Promise<DialectSession<Output>> {
    const session = new DialectSession(id, output, this.#engine, this.#options.clock);
    this.#running.set(id, session);
    try {
      await new Promise<void>((resolve, reject) => {
        // The engine's registry has the session only in the next turn of the event loop.
        this.#onOpened.set(id, () => setImmediate(resolve));
        const request = openRequest({ history: HISTORY, ...options, name: id, timeoutMs: 0 });
        this.#engine.start(request, call, run).then(() => resolve(), reject);
      });
    } catch (error) {
      this.#running.delete(id);
      throw error;
    } finally {
      this.#onOpened.delete(id);
    }
    return session;
  }

  add(known: KnownDialectSession<Output, Extra>): void {
    this.#known.set(known.session.id, known);
  }

  has(id: string): boolean {
    return this.#known.has(id);
  }

  /** Throws a `DialectError` in the dialect's words. */
  find(id: string): KnownDialectSession<Output, Extra> {
    const known = this.#known.get(id);
    if (known === undefined) throw new DialectError(this.#options.notFound(id));
    return known;
  }

  /** Throws as `find` does if the session was deleted while a call waited for its turn. */
  assertKnown(known: KnownDialectSession<Output, Extra>): void {
    const { id } = known.session;
    // By now the id can even belong to another session.
    if (this.#known.get(id) !== known) throw new DialectError(this.#options.notFound(id));
  }

  /** In the order in which they were added. */
  list(): KnownDialectSession<Output, Extra>[] {
    return [...this.#known.values()];
  }

  /** Forgets the session. The caller ends its program. */
  delete(id: string): void {
    this.#known.delete(id);
  }

  /** Forgets those for which the rule holds, and returns them for the caller to end. */
  deleteExpired(
    isExpired: (known: KnownDialectSession<Output, Extra>) => boolean,
  ): KnownDialectSession<Output, Extra>[] {
    const expired = this.list().filter(isExpired);
    for (const { session } of expired) this.delete(session.id);
    return expired;
  }

  /** Forgets all sessions and ends their programs. */
  async close(): Promise<void> {
    this.#known.clear();
    await this.#engine.closeAll({ graceMs: SHUTDOWN_MS });
  }
}
