/** The Python agent's PTY tools: each command on its own terminal, listed until it is closed. */
import { resolve } from 'node:path';
import type { OpenOptions } from '../../session/options/options.ts';
import type { CallOptions } from '../../session/sessions.ts';
import type { Exit } from '../../system/process/reaper.ts';
import { signalNumber } from '../../system/process/signals.ts';
import type { CloseOptions } from '../../system/terminal/terminal.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  commonDialectDefaults,
  type DialectOptions,
  withDialectDefaults,
} from '../shared/dialect-options.ts';
import type { DialectSession } from '../shared/dialect-session.ts';
import { DialectSessionTable, type KnownDialectSession } from '../shared/dialect-session-table.ts';
import { randomHexId } from '../shared/ids.ts';
import { errorMessageOf, pythonErrorMessage, systemErrorWordsOf } from '../shared/spawn-error.ts';
import { UnreadOutput } from '../shared/unread-output.ts';
import type { UnifiedCloseArgs, UnifiedExecArgs, UnifiedWriteArgs } from './arguments.ts';
import { cutToTokenBudget } from './truncate.ts';

export interface UnifiedOptions extends DialectOptions {
  /** @default 10 */
  maxSessions?: number;
  /** A session unused for longer is closed when another one is started. @default 300000 */
  staleMs?: number;
  /** How much unread output is kept. @default 16 MiB */
  keptBytes?: number;
}

const unifiedDefaults: Required<UnifiedOptions> = {
  ...commonDialectDefaults,
  maxSessions: 10,
  staleMs: 300_000,
  keptBytes: 16 * 1024 * 1024,
};

const SIZE = { cols: 80, rows: 24 };
/** One call returns at most this much: whole reads of 4096 bytes until there are 50000. */
const MAX_BYTES_PER_CALL = 13 * 4096;
/** How long to wait for the exit status after the end of output. */
const EXIT_STATUS_MS = 100;
const TERMINATE = { signal: 'SIGTERM', graceMs: 1000 } as const;
const KILL = { graceMs: 0 } as const;

interface UnifiedData {
  command: string;
  /** Characters read by calls so far, including those that were cut off. */
  returned: number;
  cancelTimeout: () => void;
}

type UnifiedSession = KnownDialectSession<UnreadOutput, UnifiedData>;

export class UnifiedSessions {
  readonly #options: Required<UnifiedOptions>;
  readonly #sessions: DialectSessionTable<UnreadOutput, UnifiedData>;

  constructor(options: UnifiedOptions = {}) {
    this.#options = withDialectDefaults(unifiedDefaults, options);
    const { clock, random, sandbox, gate } = this.#options;
    this.#sessions = new DialectSessionTable({
      clock,
      sandbox,
      gate,
      newId: () => randomHexId(8, random),
      notFound: (id) => `Session ${id} not found`,
    });
  }

  async exec(request: UnifiedExecArgs, call: CallOptions): Promise<object> {
    await this.#closeStale();
    const { maxSessions } = this.#options;
    if (this.#sessions.count >= maxSessions)
      throw new DialectError(`Maximum PTY sessions (${maxSessions}) reached`);
    const known = await this.#sessions.withNewId((id) => this.#start(id, request, call));
    return known.session.inTurn(() => this.#collect(known, request, call));
  }

  async write(request: UnifiedWriteArgs, call: CallOptions): Promise<object> {
    const known = this.#sessions.find(request.id);
    return known.session.inTurn(async () => {
      this.#sessions.assertKnown(known);
      await this.#type(known, request.chars, call);
      return this.#collect(known, request, call);
    });
  }

  async closeOne({ id, force }: UnifiedCloseArgs): Promise<object> {
    await this.#end(this.#sessions.find(id), force ? KILL : TERMINATE);
    return { success: true };
  }

  list(): object {
    const sessions = this.#sessions.list().map(({ session, command, returned }) => ({
      id: session.id,
      pid: session.pid,
      created_at: session.startedMs / 1000,
      last_activity: session.lastUsedMs / 1000,
      output_buffer_size: returned,
      ...stateOf(session),
      command,
    }));
    return { success: true, sessions };
  }

  async close(): Promise<void> {
    for (const { cancelTimeout } of this.#sessions.list()) cancelTimeout();
    await this.#sessions.close();
  }

  async #start(
    id: string,
    { cmd, workdir, shell, login, timeoutMs }: UnifiedExecArgs,
    call: CallOptions,
  ): Promise<UnifiedSession> {
    const path = shell || process.env.SHELL || '/bin/bash';
    const command = [path, ...(login ? ['-l'] : []), '-c', cmd];
    const options = { command, cwd: resolve(workdir ?? ''), ...SIZE };
    const session = await this.#open(id, options, call, cmd);
    const cancelTimeout =
      timeoutMs === undefined
        ? () => {}
        : this.#options.clock.after(timeoutMs, () => void session.endOrWarn(TERMINATE));
    const known = { session, command: cmd, returned: 0, cancelTimeout };
    this.#sessions.add(known);
    return known;
  }

  async #open(
    id: string,
    options: OpenOptions,
    call: CallOptions,
    run: string,
  ): Promise<DialectSession<UnreadOutput>> {
    const unread = new UnreadOutput(this.#options.keptBytes);
    try {
      return await this.#sessions.open(id, unread, options, call, run);
    } catch (error) {
      if (systemErrorWordsOf(error) === undefined) throw error;
      // In evmts/agent, whose tools these are, the child process prints this error, so agents look
      // for it in the output.
      const message = `Error executing command: ${pythonErrorMessage(error)}`;
      const printMessage = ['/bin/sh', '-c', 'printf "%s\\n" "$1"; exit 1', 'sh', message];
      return this.#sessions.open(id, unread, { command: printMessage, cwd: '/', ...SIZE }, call);
    }
  }

  async #type({ session }: UnifiedSession, chars: string, call: CallOptions): Promise<void> {
    if (chars === '' || session.exit !== undefined) return;
    try {
      await session.type(chars, call);
    } catch (error) {
      await session.wait({ ms: EXIT_STATUS_MS, until: () => session.exit !== undefined });
      if (session.exit === undefined)
        throw new DialectError(
          `Failed to write to session ${session.id}: ${errorMessageOf(error)}`,
        );
    }
  }

  async #collect(
    known: UnifiedSession,
    { yieldMs, maxTokens }: { yieldMs: number; maxTokens: number },
    { signal }: CallOptions,
  ): Promise<object> {
    const { session } = known;
    const { clock, strictWaits } = this.#options;
    session.lastUsedMs = clock.now();
    await session.wait({
      ms: yieldMs,
      signal,
      until: () => session.isOutputEnded,
      orReady: strictWaits ? undefined : () => session.output.size > 0,
    });
    if (session.isOutputEnded)
      await session.wait({ ms: EXIT_STATUS_MS, until: () => session.exit !== undefined });
    session.lastUsedMs = clock.now();
    const { text } = session.output.take({
      maxBytes: MAX_BYTES_PER_CALL,
      isFinal: session.isOutputEnded,
    });
    const { output, truncated } = cutToTokenBudget(text, maxTokens);
    known.returned += [...text].length;
    return { success: true, session_id: session.id, output, ...stateOf(session), truncated };
  }

  async #closeStale(): Promise<void> {
    const { clock, staleMs } = this.#options;
    const stale = this.#sessions.deleteExpired(
      ({ session }) => session.activeCalls === 0 && clock.now() - session.lastUsedMs > staleMs,
    );
    await Promise.all(stale.map((known) => this.#end(known, TERMINATE)));
  }

  async #end({ session, cancelTimeout }: UnifiedSession, options: CloseOptions): Promise<void> {
    cancelTimeout();
    this.#sessions.delete(session.id);
    await session.end(options);
  }
}

const stateOf = ({ exit }: DialectSession) => ({
  running: exit === undefined,
  exit_code: exit === undefined ? null : exitCodeOf(exit),
});

const exitCodeOf = ({ code, signal }: Exit): number =>
  code ?? (signal === undefined ? -1 : -signalNumber(signal));
