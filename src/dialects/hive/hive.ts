/** Hive's terminal tools: long-lived bash shells. A command runs to the prompt or to a pattern. */
import { resolve } from 'node:path';
import type { CallOptions } from '../../session/sessions.ts';
import { DialectError } from '../shared/dialect-error.ts';
import { commonDefaults, type DialectOptions, withDefaults } from '../shared/dialect-options.ts';
import { DialectSessions } from '../shared/dialect-sessions.ts';
import { hexId } from '../shared/ids.ts';
import { pythonMessage, systemError } from '../shared/spawn-error.ts';
import type { HiveClose, HiveOpen, HiveRun } from './arguments.ts';
import { compileExpect } from './expect.ts';
import { createMarks, promptVariables } from './marks.ts';
import { OutputRing } from './ring.ts';
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
  ...commonDefaults,
  maxSessions: undefined,
  keptBytes: 2 * 1024 * 1024,
  commandGuard: () => undefined,
};

const BASH = '/bin/bash';
const FIRST_PROMPT_MS = 2000;

/** The command guard rejected a command. */
export class BlockedCommand extends Error {}

interface HiveData {
  shell: HiveShell;
  idleLimitMs: number;
}

export class Hive {
  readonly #options: Required<HiveOptions>;
  readonly #sessions: DialectSessions<OutputRing, HiveData>;

  constructor(options: HiveOptions = {}) {
    this.#options = withDefaults(hiveDefaults, options);
    const { clock, random } = this.#options;
    this.#sessions = new DialectSessions({
      clock,
      newId: () => `pty_${hexId(10, random)}`,
      notFound: (id) => `unknown session_id: ${id}`,
    });
  }

  async open(request: HiveOpen): Promise<object> {
    await this.#closeExpired();
    const max = this.#options.maxSessions ?? maxFromEnvironment();
    if (this.#sessions.count >= max)
      throw new DialectError(
        `terminal-tools PTY cap reached (${max}). Close idle sessions or raise TERMINAL_TOOLS_MAX_PTY.`,
      );
    return this.#sessions.withNewId(async (id) => {
      const shell = await this.#start(id, request);
      const { session } = shell;
      this.#sessions.add({ session, shell, idleLimitMs: request.idleSeconds * 1000 });
      return { session_id: id, pid: session.pid, shell: BASH };
    });
  }

  async run(
    { id, command, expect, raw, readOnly, seconds }: HiveRun,
    call: CallOptions,
  ): Promise<object> {
    const { shell } = this.#sessions.find(id);
    if (shell.hasExited) {
      this.#sessions.delete(id);
      throw new DialectError(`session ${id} has exited`);
    }
    const ms = seconds * 1000;
    if (readOnly) return this.#use(shell, () => shell.drain(ms, call));
    if (command === undefined) throw new DialectError('command is required unless read_only=True');
    const reason = this.#options.commandGuard(command);
    if (reason !== undefined) throw new BlockedCommand(reason);
    if (raw) return this.#use(shell, () => sendRaw(shell, command));
    const pattern = expect === undefined ? undefined : await compileExpect(expect);
    return this.#use(shell, () => shell.run(command, ms, pattern, call));
  }

  async closeOne({ id, force }: HiveClose): Promise<object> {
    const { shell } = this.#sessions.find(id);
    this.#sessions.delete(id);
    return shell.close(force);
  }

  async close(): Promise<void> {
    await this.#sessions.close();
  }

  async #start(id: string, { cwd, env, cols, rows }: HiveOpen): Promise<HiveShell> {
    const { random, keptBytes } = this.#options;
    const marks = createMarks(hexId(32, random));
    try {
      const session = await this.#sessions.open(id, new OutputRing(keptBytes), {
        command: [BASH, '--norc', '--noprofile', '-i'],
        cwd: resolve(cwd ?? ''),
        env: {
          ...withoutZsh(process.env),
          ...(process.env.TERM && { TERM: process.env.TERM }),
          ...env,
          ...promptVariables(marks),
        },
        cols,
        rows,
      });
      const shell = new HiveShell(session, marks, this.#options);
      await shell.initialize(FIRST_PROMPT_MS);
      return shell;
    } catch (error) {
      const type = systemError(error)?.type ?? (error as Error).name;
      throw new DialectError(`failed to open session: ${type}: ${pythonMessage(error)}`);
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

const sendRaw = async (shell: HiveShell, text: string): Promise<object> => {
  await shell.send(text);
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
