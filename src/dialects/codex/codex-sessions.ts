/**
 * Codex's unified exec: `exec_command` starts a program, `write_stdin` types to it and polls it. A
 * session has a number, which is valid until its exit has been reported.
 */
import { resolve } from 'node:path';
import { TerminalError } from '../../errors.ts';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  commonDialectDefaults,
  type DialectOptions,
  withDialectDefaults,
} from '../shared/dialect-options.ts';
import { DialectSessionTable, type KnownDialectSession } from '../shared/dialect-session-table.ts';
import { randomHexId, randomInteger } from '../shared/ids.ts';
import { errorMessageOf, isRefusal, systemErrorWordsOf } from '../shared/spawn-error.ts';
import { UnreadOutput } from '../shared/unread-output.ts';
import type { ToolResult } from '../tool.ts';
import type { CodexExecArgs, CodexWriteArgs } from './arguments.ts';
import { chooseSessionToPrune } from './prune.ts';
import { codexResult } from './result.ts';
import { codexShellCommand, quoteShellWords } from './shell-command.ts';

export interface CodexOptions extends DialectOptions {
  /** @default 64 */
  maxSessions?: number;
  /** This many most recently used sessions are never pruned. @default 8 */
  protectedSessions?: number;
  /** The shortest and the longest wait of a poll. @default 5000, 300000 */
  pollMinMs?: number;
  pollMaxMs?: number;
  /** How much unread output is kept: half from its beginning, half from its end. @default 1 MiB */
  keptBytes?: number;
  /** @default true */
  allowLogin?: boolean;
  /** @default true */
  allowTty?: boolean;
}

const codexDefaults: Required<CodexOptions> = {
  ...commonDialectDefaults,
  maxSessions: 64,
  protectedSessions: 8,
  pollMinMs: 5000,
  pollMaxMs: 300_000,
  keptBytes: 1024 * 1024,
  allowLogin: true,
  allowTty: true,
};

/** Makes programs print without colours and without a pager. */
const ENVIRONMENT = {
  NO_COLOR: '1',
  TERM: 'dumb',
  LANG: 'C.UTF-8',
  LC_CTYPE: 'C.UTF-8',
  LC_ALL: 'C.UTF-8',
  COLORTERM: '',
  PAGER: 'cat',
  GIT_PAGER: 'cat',
  GH_PAGER: 'cat',
  CODEX_CI: '1',
};
const SIZE = { cols: 80, rows: 24 };
const DEFAULT_EXEC_YIELD_MS = 10_000;
const MIN_YIELD_MS = 250;
const MAX_YIELD_MS = 30_000;
const MAX_OUTPUT_TOKENS = 10_000;
/** A program that exits this early never enters the table, so no other session is pruned for it. */
const EARLY_EXIT_MS = 150;
/** Between typing and collecting output. */
const PAUSE_MS = 100;
const INTERRUPT = '\u0003';
const KILL = { graceMs: 0 } as const;

interface CodexData {
  tty: boolean;
}

type CodexSession = KnownDialectSession<UnreadOutput, CodexData>;

export class CodexSessions {
  readonly #options: Required<CodexOptions>;
  readonly #sessions: DialectSessionTable<UnreadOutput, CodexData>;

  constructor(options: CodexOptions = {}) {
    this.#options = withDialectDefaults(codexDefaults, options);
    const { clock, random, sandbox, gate } = this.#options;
    this.#sessions = new DialectSessionTable({
      clock,
      sandbox,
      gate,
      newId: () => String(randomInteger(1000, 99_999, random)),
      notFound: (id) => `write_stdin failed: Unknown process id ${id}`,
    });
  }

  knows(id: number): boolean {
    return this.#sessions.has(String(id));
  }

  async exec(request: CodexExecArgs, call: CallOptions): Promise<ToolResult> {
    const { clock } = this.#options;
    return this.#sessions.withNewId(async (id) => {
      const known = await this.#start(id, request, call);
      const { session } = known;
      return session.inTurn(async () => {
        const startedMs = clock.now();
        const endMs =
          startedMs + clamp(request.yieldMs ?? DEFAULT_EXEC_YIELD_MS, MIN_YIELD_MS, MAX_YIELD_MS);
        try {
          await this.#wait(known, EARLY_EXIT_MS, call);
        } finally {
          if (session.exit === undefined) await this.#addAndPrune(known);
          else if (call.signal?.aborted) await session.endOrWarn(KILL);
        }
        await this.#wait(known, endMs - clock.now(), call);
        return this.#report(known, startedMs, request.maxTokens);
      });
    });
  }

  async write(
    { id, chars, yieldMs, maxTokens }: CodexWriteArgs,
    call: CallOptions,
  ): Promise<ToolResult> {
    const { clock, pollMinMs, pollMaxMs } = this.#options;
    const known = this.#sessions.find(String(id));
    const { session } = known;
    return this.#inTurnOrForget(known, async () => {
      // Another call may have reported its exit meanwhile.
      this.#sessions.assertKnown(known);
      session.lastUsedMs = clock.now();
      if (chars !== '') {
        await this.#type(known, chars, call);
        await this.#wait(known, PAUSE_MS, call);
      }
      const startedMs = clock.now();
      const requestedMs = yieldMs ?? MIN_YIELD_MS;
      const waitMs =
        chars === ''
          ? clamp(requestedMs, pollMinMs, Math.max(pollMinMs, pollMaxMs))
          : clamp(requestedMs, MIN_YIELD_MS, MAX_YIELD_MS);
      await this.#wait(known, waitMs, call);
      return this.#report(known, startedMs, maxTokens);
    });
  }

  /** Runs a call in its turn. If our own engine fails, the session is ended and forgotten. */
  async #inTurnOrForget(
    { session }: CodexSession,
    call: () => Promise<ToolResult>,
  ): Promise<ToolResult> {
    try {
      return await session.inTurn(call);
    } catch (error) {
      if (!(error instanceof TerminalError)) throw error;
      this.#sessions.delete(session.id);
      await session.end(KILL);
      throw new DialectError(`write_stdin failed: Unified exec process failed: ${error.message}`);
    }
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #start(
    id: string,
    { cmd, workdir, shell, login, tty }: CodexExecArgs,
    call: CallOptions,
  ): Promise<CodexSession> {
    const { allowLogin, allowTty, keptBytes } = this.#options;
    if (login && !allowLogin)
      throw new DialectError('login shell is disabled by config; omit `login` or set it to false.');
    if (tty && !allowTty)
      throw new DialectError('TTY execution is disabled by config; omit `tty` or set it to false.');
    const command = codexShellCommand(cmd, { shell, login: login ?? allowLogin });
    try {
      const request = { command, cwd: resolve(workdir ?? ''), env: ENVIRONMENT, tty, stdin: false };
      const output = new UnreadOutput(keptBytes);
      const session = await this.#sessions.open(id, output, { ...request, ...SIZE }, call, cmd);
      return { session, tty };
    } catch (error) {
      throw new DialectError(
        `exec_command failed for \`${quoteShellWords(command)}\`: CreateProcess { message: ${JSON.stringify(rustMessage(error))} }`,
      );
    }
  }

  async #type({ session, tty }: CodexSession, chars: string, call: CallOptions): Promise<void> {
    if (!tty && chars !== INTERRUPT)
      throw new DialectError(
        'write_stdin failed: stdin is closed for this session; rerun exec_command with tty=true to keep stdin open',
      );
    try {
      await (tty ? session.type(chars, call) : session.signal('SIGINT'));
    } catch (error) {
      if (isRefusal(error))
        throw new DialectError(`write_stdin failed: failed to write to stdin: ${error.message}`);
      // Whatever failed: if the program has exited, that is what the caller needs to know.
      await session.wait({ ms: PAUSE_MS, until: () => session.exit !== undefined });
      if (session.exit === undefined)
        throw new DialectError('write_stdin failed: failed to write to stdin');
    }
  }

  #wait({ session, tty }: CodexSession, ms: number, { signal }: CallOptions): Promise<void> {
    const mayEndEarly = tty && !this.#options.strictWaits;
    return session.wait({
      ms,
      signal,
      until: () => session.isFinished,
      orReady: mayEndEarly ? () => session.output.size > 0 : undefined,
    });
  }

  async #report(
    { session }: CodexSession,
    startedMs: number,
    maxTokens = MAX_OUTPUT_TOKENS,
  ): Promise<ToolResult> {
    const { clock, random } = this.#options;
    const { exit, isOutputEnded } = session;
    const result = codexResult({
      chunkId: randomHexId(6, random),
      wallMs: clock.now() - startedMs,
      exit,
      sessionId: Number(session.id),
      taken: session.output.take({ isFinal: isOutputEnded }),
      maxTokens: Math.min(maxTokens, MAX_OUTPUT_TOKENS),
    });
    if (exit !== undefined) {
      this.#sessions.delete(session.id);
      // Jobs that it has left end before the agent is told, so that their ports are free again.
      await session.endOrWarn(KILL);
    }
    return result;
  }

  /** Adds a session to the table. If there are too many, prunes another one. */
  async #addAndPrune(known: CodexSession): Promise<void> {
    const { maxSessions, protectedSessions } = this.#options;
    const candidates = this.#sessions.list().map(({ session }) => ({
      session,
      lastUsedMs: session.lastUsedMs,
      hasExited: session.exit !== undefined,
      isBusy: session.activeCalls > 0,
    }));
    this.#sessions.add(known);
    if (candidates.length < maxSessions) return;
    const pruned = chooseSessionToPrune(candidates, protectedSessions);
    if (pruned === undefined) return;
    this.#sessions.delete(pruned.session.id);
    await pruned.session.end(KILL);
  }
}

const clamp = (ms: number, min: number, max: number) => Math.min(max, Math.max(min, ms));

const rustMessage = (error: unknown): string => {
  const known = systemErrorWordsOf(error);
  return known === undefined
    ? errorMessageOf(error)
    : `${known.text} (os error ${known.errno}): ${errorMessageOf(error)}`;
};
