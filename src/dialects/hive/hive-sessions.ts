/** Hive's terminal tools: long-lived bash shells. A command runs to the prompt or to a pattern. */
import { resolve } from 'node:path';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import {
  commonDialectDefaults,
  type DialectOptions,
  withDialectDefaults,
} from '../shared/dialect-options.ts';
import { DialectSessionTable } from '../shared/dialect-session-table.ts';
import { randomHexId } from '../shared/ids.ts';
import { isRefusal, pythonErrorMessage, systemErrorWordsOf } from '../shared/spawn-error.ts';
import type { HiveCloseArgs, HiveOpenArgs, HiveRunArgs } from './arguments.ts';
import { OutputRing } from './output-ring.ts';
import { createPromptMarks, promptEnvironment } from './prompt-marks.ts';
import { HiveShell } from './shell.ts';

export interface HiveOptions extends DialectOptions {
  /** @default TERMINAL_TOOLS_MAX_PTY in the environment, else 8 */
  maxSessions?: number | undefined;
  /** How much of the newest output is kept. @default 2 MiB */
  keptBytes?: number;
  /** Returns why a command must not run. It is reported with `blocked: true`. @default none */
  commandGuard?: (command: string) => string | undefined;
}

const hiveDefaults: Required<HiveOptions> = {
  ...commonDialectDefaults,
  maxSessions: undefined,
  keptBytes: 2 * 1024 * 1024,
  commandGuard: () => undefined,
};

const BASH = '/bin/bash';
const FIRST_PROMPT_MS = 2000;

/** The command guard rejected a command. */
export class BlockedCommandError extends Error {}

interface HiveData {
  shell: HiveShell;
  idleLimitMs: number;
}

export class HiveSessions {
  readonly #options: Required<HiveOptions>;
  readonly #sessions: DialectSessionTable<OutputRing, HiveData>;

  constructor(options: HiveOptions = {}) {
    this.#options = withDialectDefaults(hiveDefaults, options);
    const { clock, random, sandbox, gate } = this.#options;
    this.#sessions = new DialectSessionTable({
      clock,
      sandbox,
      gate,
      newId: () => `pty_${randomHexId(10, random)}`,
      notFound: (id) => `unknown session_id: ${id}`,
    });
  }

  async open(request: HiveOpenArgs, call: CallOptions): Promise<object> {
    await this.#closeExpired();
    const max = this.#options.maxSessions ?? maxFromEnvironment();
    if (this.#sessions.count >= max)
      throw new DialectError(
        `terminal-tools PTY cap reached (${max}). Close idle sessions or raise TERMINAL_TOOLS_MAX_PTY.`,
      );
    return this.#sessions.withNewId(async (id) => {
      const shell = await this.#start(id, request, call);
      const { session } = shell;
      this.#sessions.add({ session, shell, idleLimitMs: request.idleSeconds * 1000 });
      return { session_id: id, pid: session.pid, shell: BASH };
    });
  }

  async run(
    { id, command, expect, raw, readOnly, seconds }: HiveRunArgs,
    call: CallOptions,
  ): Promise<object> {
    const { shell } = this.#sessions.find(id);
    if (shell.hasExited) {
      this.#sessions.delete(id);
      await shell.session.endOrWarn();
      throw new DialectError(`session ${id} has exited`);
    }
    const ms = seconds * 1000;
    if (readOnly) return this.#use(shell, () => shell.drain(ms, call));
    if (command === undefined) throw new DialectError('command is required unless read_only=True');
    const reason = this.#options.commandGuard(command);
    if (reason !== undefined) throw new BlockedCommandError(reason);
    if (raw) return this.#use(shell, () => sendRaw(shell, command, call));
    return this.#use(shell, () => shell.run(command, ms, expect, call));
  }

  async closeOne({ id, force }: HiveCloseArgs): Promise<object> {
    const { shell } = this.#sessions.find(id);
    this.#sessions.delete(id);
    return shell.close(force);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #start(
    id: string,
    { cwd, env, cols, rows }: HiveOpenArgs,
    call: CallOptions,
  ): Promise<HiveShell> {
    const { random, keptBytes } = this.#options;
    const marks = createPromptMarks(randomHexId(32, random));
    try {
      const options = {
        command: [BASH, '--norc', '--noprofile', '-i'],
        cwd: resolve(cwd ?? ''),
        env: {
          ...withoutZsh(process.env),
          ...(process.env.TERM && { TERM: process.env.TERM }),
          ...env,
          ...promptEnvironment(marks),
        },
        cols,
        rows,
      };
      const session = await this.#sessions.open(id, new OutputRing(keptBytes), options, call);
      const shell = new HiveShell(session, marks, this.#options);
      await shell.initialize(FIRST_PROMPT_MS);
      return shell;
    } catch (error) {
      if (isRefusal(error)) throw error;
      const type = systemErrorWordsOf(error)?.type ?? (error as Error).name;
      throw new DialectError(`failed to open session: ${type}: ${pythonErrorMessage(error)}`);
    }
  }

  /** A session is not idle while a call on it is in progress. */
  async #use<T>({ session }: HiveShell, call: () => Promise<T>): Promise<T> {
    session.lastUsedMs = this.#options.clock.now();
    session.activeCalls++;
    try {
      return await call();
    } finally {
      session.activeCalls--;
      session.lastUsedMs = this.#options.clock.now();
    }
  }

  async #closeExpired(): Promise<void> {
    const now = this.#options.clock.now();
    const expired = this.#sessions.deleteExpired(({ session, shell, idleLimitMs }) => {
      const isIdle = session.activeCalls === 0 && now - session.lastUsedMs > idleLimitMs;
      return shell.hasExited || isIdle;
    });
    await Promise.all(expired.map(({ session }) => session.end()));
  }
}

const sendRaw = async (shell: HiveShell, text: string, call: CallOptions): Promise<object> => {
  await shell.send(text, call);
  const isWithoutNewline = /^[^\p{Cc}]+$/u.test(text);
  return {
    bytes_sent: Buffer.byteLength(text),
    ...(isWithoutNewline && { note: 'no trailing newline was sent' }),
  };
};

const DEFAULT_MAX_SESSIONS = 8;

const maxFromEnvironment = (): number => {
  const max = Number.parseInt(process.env.TERMINAL_TOOLS_MAX_PTY ?? '', 10);
  return Number.isNaN(max) ? DEFAULT_MAX_SESSIONS : max;
};

/** Removes variables that would point a zsh started by the agent at the user's own zsh files. */
const withoutZsh = (env: NodeJS.ProcessEnv): Record<string, undefined> =>
  Object.fromEntries(
    Object.keys(env)
      .filter((name) => name.startsWith('ZDOTDIR') || name.startsWith('ZSH_'))
      .map((name) => [name, undefined]),
  );
