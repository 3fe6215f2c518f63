/** Tricode's sessions: shells on pipes, written and read line by line, which expire soon. */
import { InputNotTaken, ProgramExited } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  commonDialectDefaults,
  type DialectOptions,
  withDialectDefaults,
} from '../shared/dialect-options.ts';
import type { DialectSession } from '../shared/dialect-session.ts';
import { DialectSessionTable, type KnownDialectSession } from '../shared/dialect-session-table.ts';
import { randomHexId } from '../shared/ids.ts';
import { errorMessageOf, isRefusal, pythonErrorMessage } from '../shared/spawn-error.ts';
import { OutputLineQueue } from './output-line-queue.ts';

export interface TricodeOptions extends DialectOptions {
  /** @default 3 */
  maxSessions?: number;
  /** A session unused for longer is ended. @default 30000 */
  idleMs?: number;
  /** A session older than this is ended. @default 300000 */
  maxAgeMs?: number;
  /** How often both limits are checked. @default 10000 */
  reaperMs?: number;
  /** How much unread output is kept. @default 16 MiB */
  keptBytes?: number;
}

const tricodeDefaults: Required<TricodeOptions> = {
  ...commonDialectDefaults,
  maxSessions: 3,
  idleMs: 30_000,
  maxAgeMs: 300_000,
  reaperMs: 10_000,
  keptBytes: 16 * 1024 * 1024,
};

const NO_OUTPUT = '[no output within timeout]';
const TRUNCATED = '[output truncated at 4096 bytes]';
const MAX_CHARACTERS = 4096;
/** A read ends after this time without another line. */
const QUIET_MS = 100;
const TERMINATE = { signal: 'SIGTERM', graceMs: 2000 } as const;

interface TricodeData {
  /** Aborted when the session is closed. Ends the reads in progress. */
  closing: AbortController;
}

type TricodeSession = KnownDialectSession<OutputLineQueue, TricodeData>;

export class TricodeSessions {
  readonly #options: Required<TricodeOptions>;
  readonly #sessions: DialectSessionTable<OutputLineQueue, TricodeData>;
  #stopReaper: (() => void) | undefined;

  constructor(options: TricodeOptions = {}) {
    this.#options = withDialectDefaults(tricodeDefaults, options);
    const { clock, random, sandbox, gate } = this.#options;
    this.#sessions = new DialectSessionTable({
      clock,
      sandbox,
      gate,
      newId: () => randomHexId(8, random),
      notFound: (id) => `Session ${id} not found`,
    });
  }

  async start(command: string, shell: string, call: CallOptions): Promise<string> {
    const { maxSessions } = this.#options;
    if (this.#sessions.count >= maxSessions)
      throw new DialectError(
        `Maximum ${maxSessions} sessions reached. Close existing sessions first.`,
      );
    try {
      return await this.#sessions.withNewId(async (id) => {
        const session = await this.#open(id, shell, call);
        if (command !== '') await this.#typeFirst(session, command, call);
        this.#sessions.add({ session, closing: new AbortController() });
        this.#startReaper();
        return `Session ${id} started`;
      });
    } catch (error) {
      if (isRefusal(error)) throw new DialectError(`Denied: ${error.message}`);
      throw new DialectError(`Failed to start session: ${pythonErrorMessage(error)}`);
    }
  }

  async send(id: string, text: string, call: CallOptions): Promise<string> {
    const known = this.#sessions.find(id);
    const { session } = known;
    return session.inTurn(async () => {
      this.#sessions.assertKnown(known);
      session.lastUsedMs = this.#options.clock.now();
      if (session.exit !== undefined) throw new DialectError(`Session ${id} has terminated`);
      try {
        await session.type(`${text}\n`, call);
      } catch (error) {
        if (isRefusal(error)) throw new DialectError(`Denied: ${error.message}`);
        if (error instanceof ProgramExited || session.exit !== undefined)
          throw new DialectError(`Session ${id} has terminated`);
        const reason =
          error instanceof InputNotTaken ? '[Errno 32] Broken pipe' : errorMessageOf(error);
        throw new DialectError(`Failed to send input: ${reason}`);
      }
      return `Input sent to session ${id}`;
    });
  }

  async read(id: string, seconds: number, { signal }: CallOptions): Promise<string> {
    const known = this.#sessions.find(id);
    const { session, closing } = known;
    return session.inTurn(async () => {
      this.#sessions.assertKnown(known);
      session.lastUsedMs = this.#options.clock.now();
      const aborted = AbortSignal.any([closing.signal, ...(signal ? [signal] : [])]);
      const lines: string[] = [];
      try {
        await this.#collect(session, lines, seconds * 1000, aborted);
      } catch (error) {
        if (!closing.signal.aborted) throw error;
        if (lines.length === 0) this.#sessions.assertKnown(known);
      }
      session.lastUsedMs = this.#options.clock.now();
      return lines.length > 0 ? lines.join('\n') : NO_OUTPUT;
    });
  }

  async closeOne(id: string): Promise<string> {
    const { session, closing } = this.#sessions.find(id);
    this.#sessions.delete(id);
    closing.abort();
    await session.end(TERMINATE);
    return `Session ${id} closed`;
  }

  list(): string {
    const now = this.#options.clock.now();
    const seconds = (sinceMs: number) => Math.floor((now - sinceMs) / 1000);
    const lines = this.#sessions.list().map(({ session }) => {
      const state = session.exit === undefined ? 'alive' : 'dead';
      return `${session.id}: ${state}, age=${seconds(session.startedMs)}s, idle=${seconds(session.lastUsedMs)}s`;
    });
    return lines.length > 0 ? lines.join('\n') : 'No active sessions';
  }

  async close(): Promise<void> {
    this.#stopReaper?.();
    await this.#sessions.close();
  }

  async #typeFirst(
    session: DialectSession<OutputLineQueue>,
    command: string,
    call: CallOptions,
  ): Promise<void> {
    try {
      await session.type(`${command}\n`, call);
    } catch (error) {
      // If the shell has ended before it has read this, the next call says so.
      if (!isRefusal(error)) return;
      await session.end(TERMINATE);
      throw error;
    }
  }

  #open(id: string, shell: string, call: CallOptions): Promise<DialectSession<OutputLineQueue>> {
    const { TERM, COLORTERM } = process.env;
    // The server's own values: without a terminal there is no type of terminal to set.
    const options = { command: [shell], tty: false, env: { TERM, COLORTERM } };
    return this.#sessions.open(id, new OutputLineQueue(this.#options.keptBytes), options, call);
  }

  async #collect(
    session: DialectSession<OutputLineQueue>,
    lines: string[],
    ms: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { clock, strictWaits } = this.#options;
    const { output } = session;
    const endMs = clock.now() + ms;
    let characters = 0;
    for (let remainingMs = ms; remainingMs > 0; remainingMs = endMs - clock.now()) {
      for (;;) {
        const line = output.shift(session.isOutputEnded);
        if (line === undefined) break;
        lines.push(line.trimEnd());
        characters += [...line].length + 1;
        if (characters <= MAX_CHARACTERS) continue;
        lines.push(TRUNCATED);
        return;
      }
      const hasEnded = () => session.isOutputEnded && !strictWaits;
      await session.wait({
        ms: lines.length > 0 ? Math.min(QUIET_MS, remainingMs) : remainingMs,
        signal,
        until: () => output.has(session.isOutputEnded) || hasEnded(),
      });
      if (!output.has(session.isOutputEnded)) return;
    }
  }

  #startReaper(): void {
    const { clock, reaperMs } = this.#options;
    this.#stopReaper ??= clock.after(reaperMs, () => {
      this.#stopReaper = undefined;
      const expired = this.#sessions.deleteExpired((known) => this.#isExpired(known));
      for (const { session, closing } of expired) {
        closing.abort();
        void session.endOrWarn(TERMINATE);
      }
      if (this.#sessions.list().length > 0) this.#startReaper();
    });
  }

  #isExpired({ session }: TricodeSession): boolean {
    const { clock, idleMs, maxAgeMs } = this.#options;
    const now = clock.now();
    const isIdle = session.activeCalls === 0 && now - session.lastUsedMs > idleMs;
    return isIdle || now - session.startedMs > maxAgeMs;
  }
}
