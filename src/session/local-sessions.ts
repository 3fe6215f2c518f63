/** The sessions of this process: the registry behind `Sessions`. */
import { PatternTooSlow, RefusedByGuard, SessionNotFound, UnusableArgument } from '../errors.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/channel.ts';
import { sessionResult } from './call-result.ts';
import {
  AGENT,
  defaults,
  type OpenOptions,
  type ReadOptions,
  type RunOptions,
  type SendOptions,
  type SessionsOptions,
  type WaitOptions,
  withDefaults,
} from './options/options.ts';
import { type OpenRequest, openRequest, type RunRequest, runRequest } from './options/requests.ts';
import {
  assertHistory,
  assertReadOptions,
  assertSessionsOptions,
  assertTimeout,
  compileCondition,
} from './options/validate-options.ts';
import { Recording } from './recording/recording.ts';
import { Registry } from './registry.ts';
import { runFresh, runIn } from './run/run.ts';
import { resolveSecret } from './secrets/secrets.ts';
import { Session } from './session.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionEventBody,
  SessionResult,
  SessionSummary,
  Sessions,
} from './sessions.ts';
import { Subscription } from './subscription.ts';
import { callAfter } from './wait/call-after.ts';
import { currentVerdict } from './wait/current-verdict.ts';
import { settlesWithin } from './wait/settles-within.ts';
import { type WaitCondition, type WaitOutcome, waitFor } from './wait/wait-for.ts';

export class LocalSessions implements Sessions {
  readonly #options: Required<SessionsOptions>;
  readonly #registry: Registry;
  readonly #subscriptions = new Set<Subscription>();
  readonly #recordings = new Map<string, Recording>();

  constructor(options: SessionsOptions = {}) {
    assertSessionsOptions(options);
    this.#options = withDefaults(options);
    this.#registry = new Registry(this.#options);
  }

  open(options: OpenOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    return this.start(openRequest(options), call);
  }

  /** Opens what was asked for in another process, with that process's folder and environment. @internal */
  async start(request: OpenRequest, call: CallOptions = {}): Promise<SessionResult> {
    const started = performance.now();
    assertTimeout(request.timeoutMs);
    const session = await this.#open(request, call);
    return session.use(async () => {
      const waited = await this.#wait(session, { timeoutMs: request.timeoutMs }, 0, call);
      return sessionResult(waited, {}, call, started);
    });
  }

  async send(name: string, input: SendOptions, call: CallOptions = {}): Promise<SessionResult> {
    const started = performance.now();
    const session = this.#find(name);
    assertReadOptions(input);
    return session.use(async () => {
      const condition = await compileCondition(input, defaults.sendMs);
      call.signal?.throwIfAborted();
      const typing = this.#type(session, input, call.actor ?? AGENT);
      const isTaken = await settlesWithin(typing, condition.timeoutMs, call.signal);
      const timeoutMs = Math.max(0, condition.timeoutMs - (performance.now() - started));
      const waited = isTaken
        ? await this.#wait(
            session,
            { ...condition, timeoutMs },
            session.input.inputPosition,
            call,
          ).catch(afterTyping)
        : { session, verdict: await currentVerdict(session), timedOut: true };
      return sessionResult(waited, input, call, started);
    });
  }

  async run(command: string, options: RunOptions = {}, call: CallOptions = {}): Promise<RunResult> {
    return this.execute(runRequest(command, options), call);
  }

  /** Runs what was asked for in another process, with that process's folder and environment. @internal */
  async execute(request: RunRequest, call: CallOptions = {}): Promise<RunResult> {
    assertTimeout(request.timeoutMs);
    assertReadOptions(request);
    if (request.open === undefined) {
      const session = this.#find(request.session ?? '');
      return session.use(() => runIn(session, request, call));
    }
    const session = await this.#open(request.open, call);
    const result = await session.use(() => runFresh(session, request, call));
    if (result.state === 'exited') session.isExitReported = true;
    // What was cut can still be read, and what goes on can be answered.
    if (result.state === 'exited' && result.omitted === undefined)
      void this.#reportClosing(session, this.#registry.dismiss(session));
    return result;
  }

  async type(name: string, bytes: Uint8Array, call: CallOptions = {}): Promise<void> {
    await this.#find(name).input.typeBytes(bytes, call.actor ?? AGENT);
  }

  async take(name: string, call: CallOptions = {}): Promise<void> {
    this.#find(name).input.take(call.actor ?? AGENT);
  }

  async giveBack(name: string, call: CallOptions = {}): Promise<void> {
    this.#find(name).input.giveBack(call.actor ?? AGENT);
  }

  async read(
    name: string,
    options: ReadOptions = {},
    call: CallOptions = {},
  ): Promise<SessionResult> {
    const started = performance.now();
    const session = this.#find(name);
    assertReadOptions(options);
    return session.use(async () => {
      const condition = await compileCondition({ until: 'now', ...options }, defaults.readMs);
      const from = session.readers.get(call.reader ?? AGENT).position;
      const waited = await this.#wait(session, condition, from, call);
      return sessionResult(waited, options, call, started);
    });
  }

  async wait(options: WaitOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    const started = performance.now();
    if (options.sessions?.length === 0)
      throw new UnusableArgument('sessions', 'it names none; leave it out to wait for any');
    const sessions = options.sessions?.map((name) => this.#find(name)) ?? this.#awaitable();
    if (sessions.length === 0) throw new SessionNotFound('*', []);
    const first = async () => {
      const condition = await compileCondition(options, defaults.waitMs);
      const from = (session: Session) => session.readers.get(call.reader ?? AGENT).position;
      const waited = await waitFor(
        sessions,
        (session) => ({ ...condition, from: from(session) }),
        call,
      );
      return sessionResult(waited, {}, call, started);
    };
    return sessions.reduce((act, session) => () => session.use(act), first)();
  }

  async list(): Promise<SessionSummary[]> {
    const now = performance.now();
    return Promise.all(
      this.#registry.all.map(async (session) => ({
        ...session.stateOf(await currentVerdict(session)),
        idleMs: Math.round(now - session.usedMs),
        ageMs: Math.round(now - session.openedMs),
        unread: session.screen.position - session.readers.get(AGENT).position,
        pid: session.channel.pid,
        ...withRecording(this.recordingOf(session.name)),
      })),
    );
  }

  /** The file to which a session is being recorded. */
  recordingOf(name: string): string | undefined {
    return this.#recordings.get(name)?.path;
  }

  async resize(name: string, cols: number, rows: number): Promise<void> {
    this.#find(name).resize(cols, rows);
  }

  async signal(name: string, signal: string): Promise<void> {
    await this.#find(name).signal(signal);
  }

  async close(name: string, options: CloseOptions = {}): Promise<CloseResult> {
    return this.#registry.close(this.#find(name), options);
  }

  async closeAll(options: CloseOptions = {}): Promise<CloseResult> {
    return this.#registry.closeAll(options);
  }

  subscribe(
    listener: (event: SessionEvent) => void,
    only?: string,
    types?: readonly SessionEvent['type'][],
  ): () => void {
    const subscription = new Subscription(listener, only, types);
    const sessions = this.#registry.all.filter(({ name }) => subscription.wants(name));
    if (only !== undefined && sessions.length === 0) return subscription.deliverMissing(only);
    for (const session of sessions) subscription.join(session);
    this.#subscriptions.add(subscription);
    return () => {
      this.#subscriptions.delete(subscription);
      subscription.end();
    };
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll();
  }

  async #open(request: OpenRequest, call: CallOptions): Promise<Session> {
    assertHistory(request.history);
    const { command, cwd, program } = request;
    const { guard, secrets } = this.#options;
    const session = await this.#registry.add(request.name, program, {
      permit: async (name) => {
        const actor = call.actor ?? AGENT;
        const refusal = await guard({ act: 'open', session: name, command, cwd, actor });
        if (refusal !== undefined) throw new RefusedByGuard('opened', refusal);
      },
      open: async (name) => {
        const recording = this.#record(name, request);
        const emit = (event: SessionEventBody) => {
          recording?.record(event);
          this.#emit(name, event);
          if (event.type === 'closed') this.#recordings.delete(name);
        };
        const secretNames = (program?: string) => secrets.names(program);
        try {
          return await Session.open(name, request, { guard, emit: emit, secretNames });
        } catch (error) {
          this.#recordings.delete(name);
          throw error;
        }
      },
    });
    for (const subscription of this.#subscriptions) subscription.follow(session);
    const close = () => void this.#reportClosing(session, this.#registry.close(session));
    const callOff = callAfter(this.#options.lifetimeMs, close);
    void session.channel.ended.then(callOff);
    return session;
  }

  async #type(session: Session, input: SendOptions, actor: string): Promise<void> {
    if (input.secret === undefined) return session.input.type(input, actor);
    if (input.text !== undefined || input.keys !== undefined)
      throw new UnusableArgument('text or keys', 'a secret is typed alone');
    const secret = await resolveSecret(input.secret, this.#options.secrets);
    await session.input.typeSecret(secret, input.submit ?? defaults.submit, actor);
  }

  #record(name: string, { record, command, cols, rows, env }: OpenRequest): Recording | undefined {
    const { recordings } = this.#options;
    if (!(record ?? recordings.always)) return undefined;
    const recording = new Recording(
      {
        session: name,
        command,
        cols,
        rows,
        term: env.TERM,
        dump: () =>
          this.#registry.all.find((session) => session.name === name)?.screen.dump() ?? '',
        onTrouble: (message) => this.#emit(name, { type: 'trouble', message }),
      },
      recordings,
    );
    this.#recordings.set(name, recording);
    return recording;
  }

  /** All that may still have something to say, or all if none has. */
  #awaitable(): Session[] {
    const { all } = this.#registry;
    const going = all.filter(({ isExitReported: isEndTold }) => !isEndTold);
    return going.length > 0 ? going : all;
  }

  #find(name: string): Session {
    return this.#registry.find(name);
  }

  /** Nobody waits for this closing, so what there is to say of it is told to those who listen. */
  async #reportClosing(session: Session, closing: Promise<CloseResult>): Promise<void> {
    const trouble = (message: string) => this.#emit(session.name, { type: 'trouble', message });
    try {
      const { survivors } = await closing;
      const still = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
      if (still) trouble(`What "${session.name}" has run goes on after its end: ${still}.`);
    } catch (error) {
      trouble(`Session "${session.name}" could not be closed: ${(error as Error).message}`);
    }
  }

  #emit(session: string, event: SessionEventBody): void {
    const listeners = [...this.#subscriptions].filter((listener) => listener.wants(session));
    if (listeners.length === 0) return;
    // Output is there only during the call, and a listener may keep it.
    const kept = event.type === 'output' ? { ...event, bytes: Buffer.from(event.bytes) } : event;
    for (const listener of listeners) listener.deliver({ ...kept, session } as SessionEvent);
  }

  #wait(
    session: Session,
    condition: Partial<WaitCondition> & { timeoutMs: number },
    from: number,
    call: CallOptions,
  ): Promise<WaitOutcome> {
    return waitFor([session], () => ({ until: 'ready', from, ...condition }), call);
  }
}

const afterTyping = (error: unknown): never => {
  if (!(error instanceof PatternTooSlow)) throw error;
  throw new PatternTooSlow(error.details.pattern, error.details.limitMs, true);
};

const withRecording = (recording: string | undefined) =>
  recording === undefined ? {} : { recording };
