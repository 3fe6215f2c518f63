/** The sessions of this process: the registry behind `Sessions`. */
import {
  RefusedByGuard,
  SessionNotFound,
  TooManySessions,
  UnknownUntil,
  UnknownView,
  UnusableNumber,
} from '../errors.ts';
import type { Closed, CloseOptions } from '../pty/channel.ts';
import { Pattern } from '../views/pattern.ts';
import { nameFor } from './names.ts';
import {
  AGENT,
  defaults,
  type OpenOptions,
  type OpenRequest,
  openRequest,
  type ReadOptions,
  type RunOptions,
  type SendOptions,
  type SessionsOptions,
  untils,
  type ViewName,
  viewNames,
  type WaitFor,
  type WaitOptions,
  withDefaults,
} from './options.ts';
import { Session } from './session.ts';
import type { Call, Result, RunResult, SessionEvent, Sessions, Summary } from './sessions.ts';
import { verdictOf, type Waited, type Wish, waitFor } from './wait.ts';

export class LocalSessions implements Sessions {
  readonly #options: Required<SessionsOptions>;
  readonly #sessions = new Map<string, Session>();
  /** Names of sessions that are being opened. */
  readonly #opening = new Set<string>();
  readonly #listeners = new Set<(event: SessionEvent) => void>();

  constructor(options: SessionsOptions = {}) {
    this.#options = withDefaults(options);
  }

  open(options: OpenOptions = {}, call: Call = {}): Promise<Result> {
    return this.start(openRequest(options), call);
  }

  /** Opens what was asked for in another process, with that process's folder and environment. */
  async start(request: OpenRequest, call: Call = {}): Promise<Result> {
    const started = performance.now();
    assertTime(request.timeoutMs);
    const isTaken = (name: string) => this.#sessions.has(name) || this.#opening.has(name);
    const name = nameFor(request.name, request.program, isTaken);
    this.#opening.add(name);
    let session: Session;
    try {
      const { command, cwd } = request;
      const { guard } = this.#options;
      const actor = call.actor ?? AGENT;
      const refusal = await guard({ act: 'open', session: name, command, cwd, actor });
      if (refusal !== undefined) throw new RefusedByGuard('opened', refusal);
      await this.#makeRoom();
      session = await Session.open(name, request, guard, (event) =>
        this.#tell({ ...event, session: name } as SessionEvent),
      );
      this.#sessions.set(name, session);
    } finally {
      this.#opening.delete(name);
    }
    const { lifetimeMs } = this.#options;
    if (lifetimeMs <= LONGEST_MS) {
      const end = setTimeout(() => void this.close(name), lifetimeMs);
      void session.channel.ended.then(() => clearTimeout(end));
    }
    const waited = await this.#wait(session, { timeoutMs: request.timeoutMs }, 0, call);
    return this.#result(waited, {}, call, started);
  }

  async send(name: string, input: SendOptions, call: Call = {}): Promise<Result> {
    const started = performance.now();
    const session = this.#find(name);
    const wish = await compile(input, defaults.sendMs);
    assertView(input.view);
    await session.type(input, call.actor ?? AGENT);
    const waited = await this.#wait(session, wish, session.inputPosition, call);
    return this.#result(waited, input, call, started);
  }

  async run(command: string, options: RunOptions = {}, call: Call = {}): Promise<RunResult> {
    void [command, options, call];
    throw new Error('not built yet');
  }

  async type(name: string, bytes: Uint8Array, call: Call = {}): Promise<void> {
    await this.#find(name).typeBytes(bytes, call.actor ?? AGENT);
  }

  async take(name: string, call: Call = {}): Promise<void> {
    this.#find(name).take(call.actor ?? AGENT);
  }

  async giveBack(name: string, call: Call = {}): Promise<void> {
    this.#find(name).giveBack(call.actor ?? AGENT);
  }

  async read(name: string, options: ReadOptions = {}, call: Call = {}): Promise<Result> {
    const started = performance.now();
    const session = this.#find(name);
    const wish = await compile({ until: 'now', ...options }, defaults.readMs);
    assertView(options.view);
    assertPosition(options.from);
    const from = session.reader(call.reader ?? AGENT).position;
    const waited = await this.#wait(session, wish, from, call);
    return this.#result(waited, options, call, started);
  }

  async wait(options: WaitOptions = {}, call: Call = {}): Promise<Result> {
    const started = performance.now();
    const names = options.sessions ?? [...this.#sessions.keys()];
    const sessions = names.map((name) => this.#find(name));
    if (sessions.length === 0) throw new SessionNotFound('*', []);
    const wish = await compile(options, defaults.waitMs);
    const from = (session: Session) => session.reader(call.reader ?? AGENT).position;
    const waited = await waitFor(sessions, (session) => ({ ...wish, from: from(session) }), call);
    waited.session.usedMs = performance.now();
    return this.#result(waited, {}, call, started);
  }

  async list(): Promise<Summary[]> {
    const now = performance.now();
    return Promise.all(
      [...this.#sessions.values()].map(async (session) => ({
        ...session.situation(await verdictOf(session)),
        idleMs: Math.round(now - session.usedMs),
        ageMs: Math.round(now - session.openedMs),
        unread: session.screen.position - session.reader(AGENT).position,
        pid: session.channel.pid,
      })),
    );
  }

  async resize(name: string, cols: number, rows: number): Promise<void> {
    this.#find(name).resize(cols, rows);
  }

  async signal(name: string, signal: string): Promise<void> {
    await this.#find(name).signal(signal);
  }

  async close(name: string, options: CloseOptions = {}): Promise<Closed> {
    const session = this.#find(name);
    const closed = await session.close(options);
    this.#sessions.delete(name);
    return closed;
  }

  async closeAll(options: CloseOptions = {}): Promise<Closed> {
    const names = [...this.#sessions.keys()];
    const all = await Promise.all(names.map((name) => this.close(name, options)));
    return { survivors: all.flatMap(({ survivors }) => survivors) };
  }

  subscribe(listener: (event: SessionEvent) => void, only?: string): () => void {
    const subscriber = (event: SessionEvent) => {
      if (only === undefined || event.session === only) listener(event);
    };
    for (const session of only === undefined ? this.#sessions.values() : [this.#find(only)]) {
      const { screen, name, command } = session;
      const { cols, rows } = screen.modes;
      listener({ session: name, type: 'opened', command });
      // Dump and position belong together: nothing can come between them.
      listener({
        session: name,
        type: 'screen',
        dump: screen.dump(),
        cols,
        rows,
        position: screen.position,
      });
    }
    this.#listeners.add(subscriber);
    return () => this.#listeners.delete(subscriber);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll();
  }

  #find(name: string): Session {
    const session = this.#sessions.get(name);
    if (session === undefined) throw new SessionNotFound(name, [...this.#sessions.keys()]);
    return session;
  }

  #tell(event: SessionEvent): void {
    for (const listener of this.#listeners) listener(event);
  }

  async #wait(
    session: Session,
    wish: Partial<Wish> & { timeoutMs: number },
    from: number,
    call: Call,
  ): Promise<Waited> {
    session.usedMs = performance.now();
    const waited = await waitFor([session], () => ({ until: 'ready', from, ...wish }), call);
    session.usedMs = performance.now();
    return waited;
  }

  async #result(
    { session, verdict, timedOut, matched }: Waited,
    { view = 'text', from, search, maxTokens = defaults.maxTokens }: ReadOptions,
    { reader = AGENT }: Call,
    startedMs: number,
  ): Promise<Result> {
    const look = {
      view,
      maxTokens,
      ...(from !== undefined && { from }),
      ...(search !== undefined && { search }),
    };
    return {
      ...session.situation(verdict),
      ...(await session.read(reader, look, verdict)),
      elapsedMs: Math.round(performance.now() - startedMs),
      ...(timedOut && { timedOut }),
      ...(matched !== undefined && { matched }),
    };
  }

  /** Exited sessions go first, the longest unused before others; then idle ones. */
  async #makeRoom(): Promise<void> {
    const { maxSessions, idleMs } = this.#options;
    if (this.#sessions.size + this.#opening.size <= maxSessions) return;
    const byUse = [...this.#sessions.values()].sort((a, b) => a.usedMs - b.usedMs);
    const now = performance.now();
    const displaced =
      byUse.find(({ channel }) => channel.exit !== undefined) ??
      byUse.find(({ usedMs }) => now - usedMs >= idleMs);
    if (displaced === undefined) {
      const open = byUse.map(({ name, usedMs }) => ({ name, idleMs: Math.round(now - usedMs) }));
      throw new TooManySessions(maxSessions, open);
    }
    await this.close(displaced.name);
  }
}

/** Checks a wish and compiles its pattern before anything is typed. */
const compile = async (
  { until = 'ready', match, timeoutMs }: WaitFor,
  otherwiseMs: number,
): Promise<Omit<Wish, 'from'>> => {
  if (!untils.includes(until)) throw new UnknownUntil(until, untils);
  if (timeoutMs !== undefined) assertTime(timeoutMs);
  const pattern = match === undefined ? undefined : await Pattern.compile(match);
  return { until, timeoutMs: timeoutMs ?? otherwiseMs, ...(pattern && { match: pattern }) };
};

/** The longest that a timer can take. */
const LONGEST_MS = 2 ** 31 - 1;

const assertTime = (ms: number) => {
  if (!(ms >= 0 && ms <= LONGEST_MS))
    throw new UnusableNumber('timeoutMs', ms, 'milliseconds from 0');
};

const assertPosition = (from: number | undefined) => {
  if (from === undefined || (Number.isInteger(from) && from >= 0)) return;
  throw new UnusableNumber('from', from, 'a position from an earlier result');
};

const assertView = (view: ViewName | undefined) => {
  if (view !== undefined && !viewNames.includes(view)) throw new UnknownView(view, viewNames);
};
