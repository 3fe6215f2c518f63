/** The Python agent's PTY tools: each command on a terminal of its own, known until it is closed. */
import { resolve } from 'node:path';
import type { CallOptions } from '../../session/sessions.ts';
import type { Exit } from '../../system/process/reaper.ts';
import { signalNumber } from '../../system/process/signals.ts';
import type { CloseOptions } from '../../system/terminal/channel.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { commonDefaults, type DialectOptions, withOptions } from '../shared/dialect-options.ts';
import type { DialectSession } from '../shared/dialect-session.ts';
import { DialectSessions, type KnownSession } from '../shared/dialect-sessions.ts';
import { hexId } from '../shared/ids.ts';
import { asPython, messageOf, systemError } from '../shared/spawn-error.ts';
import { Unread } from '../shared/unread-output.ts';
import type { UnifiedClose, UnifiedExec, UnifiedWrite } from './arguments.ts';
import { truncateTail } from './truncate.ts';

export interface UnifiedOptions extends DialectOptions {
  /** @default 10 */
  maxSessions?: number;
  /** Unused for longer, a session is closed when another is started. @default 300000 */
  staleMs?: number;
  /** Unread output kept. @default 16 MiB */
  keptBytes?: number;
}

const unifiedDefaults: Required<UnifiedOptions> = {
  ...commonDefaults,
  maxSessions: 10,
  staleMs: 300_000,
  keptBytes: 16 * 1024 * 1024,
};

const SIZE = { cols: 80, rows: 24 };
/** A call takes no more at once: whole reads of 4096 bytes, until there are 50000. */
const MOST_BYTES = 13 * 4096;
/** After the end of output, for the exit status. */
const STATUS_MS = 100;
/** Between SIGTERM and SIGKILL. */
const GRACE_MS = 1000;

interface UnifiedData {
  command: string;
  /** Characters returned so far. */
  returned: number;
  cancelTimeout: () => void;
}

type UnifiedSession = KnownSession<Unread, UnifiedData>;

export class Unified {
  readonly #options: Required<UnifiedOptions>;
  readonly #sessions: DialectSessions<Unread, UnifiedData>;

  constructor(options: UnifiedOptions = {}) {
    this.#options = withOptions(unifiedDefaults, options);
    const { clock, random } = this.#options;
    this.#sessions = new DialectSessions({
      clock,
      newId: () => hexId(8, random),
      notFound: (id) => `Session ${id} not found`,
    });
  }

  async exec(request: UnifiedExec, call: CallOptions): Promise<object> {
    await this.#closeStale();
    const { maxSessions } = this.#options;
    if (this.#sessions.count >= maxSessions)
      throw new DialectError(`Maximum PTY sessions (${maxSessions}) reached`);
    const known = await this.#sessions.withNewId((id) => this.#start(id, request));
    return known.session.inTurn(() => this.#collect(known, request, call));
  }

  async write(request: UnifiedWrite, call: CallOptions): Promise<object> {
    const known = this.#sessions.find(request.id);
    return known.session.inTurn(async () => {
      this.#sessions.assertKnown(known);
      await this.#type(known, request.chars);
      return this.#collect(known, request, call);
    });
  }

  async closeOne({ id, force }: UnifiedClose): Promise<object> {
    await this.#end(this.#sessions.find(id), force ? { graceMs: 0 } : TERMINATE);
    return { success: true };
  }

  list(): object {
    const sessions = this.#sessions.list().map(({ session, command, returned }) => ({
      id: session.id,
      pid: session.pid,
      created_at: session.startedMs / 1000,
      last_activity: session.usedMs / 1000,
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
    { cmd, workdir, shell, login, timeoutMs }: UnifiedExec,
  ): Promise<UnifiedSession> {
    const path = shell || process.env.SHELL || '/bin/bash';
    const command = [path, ...(login ? ['-l'] : []), '-c', cmd];
    const session = await this.#open(id, command, resolve(workdir ?? ''));
    const cancelTimeout =
      timeoutMs === undefined
        ? () => {}
        : this.#options.clock.after(timeoutMs, () => session.endInBackground(TERMINATE));
    const known = { session, command: cmd, returned: 0, cancelTimeout };
    this.#sessions.add(known);
    return known;
  }

  async #open(
    id: string,
    command: readonly string[],
    cwd: string,
  ): Promise<DialectSession<Unread>> {
    const unread = new Unread(this.#options.keptBytes);
    try {
      return await this.#sessions.open(id, unread, { command, cwd, ...SIZE });
    } catch (error) {
      if (systemError(error) === undefined) throw error;
      // The original has its child say so, and agents look for it in the output.
      const complaint = `Error executing command: ${asPython(error)}`;
      const say = ['/bin/sh', '-c', 'printf "%s\\n" "$1"; exit 1', 'sh', complaint];
      return this.#sessions.open(id, unread, { command: say, cwd: '/', ...SIZE });
    }
  }

  async #type({ session }: UnifiedSession, chars: string): Promise<void> {
    if (chars === '' || session.exit !== undefined) return;
    try {
      await session.type(chars);
    } catch (error) {
      await session.wait({ ms: STATUS_MS, until: () => session.exit !== undefined });
      if (session.exit === undefined)
        throw new DialectError(`Failed to write to session ${session.id}: ${messageOf(error)}`);
    }
  }

  async #collect(
    known: UnifiedSession,
    { yieldMs, maxTokens }: { yieldMs: number; maxTokens: number },
    { signal }: CallOptions,
  ): Promise<object> {
    const { session } = known;
    const { clock, strictWaits } = this.#options;
    session.usedMs = clock.now();
    await session.wait({
      ms: yieldMs,
      signal,
      until: () => session.isEnded,
      orReady: strictWaits ? undefined : () => session.output.size > 0,
    });
    if (session.isEnded)
      await session.wait({ ms: STATUS_MS, until: () => session.exit !== undefined });
    session.usedMs = clock.now();
    const { text } = session.output.take({ maxBytes: MOST_BYTES, isAll: session.isEnded });
    const { output, truncated } = truncateTail(text, maxTokens);
    known.returned += output.length;
    return { success: true, session_id: session.id, output, ...stateOf(session), truncated };
  }

  async #closeStale(): Promise<void> {
    const { clock, staleMs } = this.#options;
    const stale = this.#sessions.deleteExpired(
      ({ session }) => session.calls === 0 && clock.now() - session.usedMs > staleMs,
    );
    await Promise.all(stale.map((known) => this.#end(known, TERMINATE)));
  }

  async #end({ session, cancelTimeout }: UnifiedSession, options: CloseOptions): Promise<void> {
    cancelTimeout();
    this.#sessions.delete(session.id);
    await session.end(options);
  }
}

const TERMINATE = { signal: 'SIGTERM', graceMs: GRACE_MS } as const;

const stateOf = ({ exit }: DialectSession) => ({
  running: exit === undefined,
  exit_code: exit === undefined ? null : codeOf(exit),
});

const codeOf = ({ code, signal }: Exit): number =>
  code ?? (signal === undefined ? -1 : -signalNumber(signal));
