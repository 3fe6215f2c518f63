/** `Sessions` in this process: finds the session of each call, runs the call, builds its result. */
import { PatternTooSlow, RefusedByGuard, SessionNotFound, UnusableArgument } from '../errors.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import { EventSubscription } from './event-subscription.ts';
import { EventSubscriptions } from './event-subscriptions.ts';
import { ifDefined } from './options/if-defined.ts';
import {
  callDefaults,
  DEFAULT_ACTOR,
  type OpenOptions,
  type ReadOptions,
  type RunOptions,
  type SendOptions,
  type SessionsOptions,
  type WaitOptions,
  withSessionsDefaults,
} from './options/options.ts';
import { type OpenRequest, openRequest, type RunRequest, runRequest } from './options/requests.ts';
import {
  assertHistoryLimits,
  assertReadOptions,
  assertSessionsOptions,
  assertTimeout,
  compileWaitCondition,
} from './options/validate-options.ts';
import { SessionRecordings } from './recording/session-recordings.ts';
import { runInNewShell, runInSession } from './run/run.ts';
import { resolveSecret } from './secrets/secrets.ts';
import { Session } from './session.ts';
import { SessionRegistry } from './session-registry.ts';
import { makeSessionResult } from './session-result.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionEventBody,
  SessionResult,
  SessionSummary,
  Sessions,
} from './sessions.ts';
import { callAfterDelay } from './wait/call-after-delay.ts';
import { currentVerdict } from './wait/current-verdict.ts';
import { finishesTypingWithin } from './wait/finishes-typing-within.ts';
import { type WaitCondition, type WaitOutcome, waitForSessions } from './wait/wait-for-sessions.ts';

export class LocalSessions implements Sessions {
  readonly #options: Required<SessionsOptions>;
  readonly #registry: SessionRegistry;
  readonly #subscriptions = new EventSubscriptions();
  readonly #recordings: SessionRecordings;

  constructor(options: SessionsOptions = {}) {
    assertSessionsOptions(options);
    this.#options = withSessionsDefaults(options);
    this.#registry = new SessionRegistry(this.#options);
    this.#recordings = new SessionRecordings(this.#options.recordings);
  }

  open(options: OpenOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    return this.start(openRequest(options), call);
  }

  /** `open` for a request from another process, with its folder and environment. @internal */
  async start(request: OpenRequest, call: CallOptions = {}): Promise<SessionResult> {
    const startedMs = performance.now();
    assertTimeout(request.timeoutMs);
    const session = await this.#open(request, call);
    return session.use(async () => {
      const waited = await this.#wait(session, { timeoutMs: request.timeoutMs }, 0, call);
      return makeSessionResult(waited, {}, call, startedMs);
    });
  }

  async send(name: string, input: SendOptions, call: CallOptions = {}): Promise<SessionResult> {
    const startedMs = performance.now();
    const session = this.#registry.find(name);
    assertReadOptions(input);
    return session.use(async () => {
      const condition = await compileWaitCondition(input, callDefaults.sendMs);
      call.signal?.throwIfAborted();
      const typing = this.#type(session, input, call.actor ?? DEFAULT_ACTOR);
      const isTyped = await finishesTypingWithin(typing, condition.timeoutMs, call.signal);
      const timeoutMs = Math.max(0, condition.timeoutMs - (performance.now() - startedMs));
      const waited = isTyped
        ? await this.#wait(
            session,
            { ...condition, timeoutMs },
            session.input.inputPosition,
            call,
          ).catch(throwAfterTyping)
        : { session, verdict: await currentVerdict(session), timedOut: true };
      return makeSessionResult(waited, input, call, startedMs);
    });
  }

  async run(command: string, options: RunOptions = {}, call: CallOptions = {}): Promise<RunResult> {
    return this.execute(runRequest(command, options), call);
  }

  /** `run` for a request from another process, with its folder and environment. @internal */
  async execute(request: RunRequest, call: CallOptions = {}): Promise<RunResult> {
    assertTimeout(request.timeoutMs);
    assertReadOptions(request);
    if (request.open === undefined) {
      const session = this.#registry.find(request.session ?? '');
      return session.use(() => runInSession(session, request, call));
    }
    const session = await this.#open(request.open, call);
    const result = await session.use(() => runInNewShell(session, request, call));
    if (result.state === 'exited') session.isExitReported = true;
    // Otherwise it stays open: omitted output can still be read, and a running command answered.
    if (result.state === 'exited' && result.omitted === undefined)
      void this.#reportClosing(session, this.#registry.dismiss(session));
    return result;
  }

  async type(name: string, bytes: Uint8Array, call: CallOptions = {}): Promise<void> {
    await this.#registry.find(name).input.typeBytes(bytes, call.actor ?? DEFAULT_ACTOR);
  }

  async take(name: string, call: CallOptions = {}): Promise<void> {
    this.#registry.find(name).input.take(call.actor ?? DEFAULT_ACTOR);
  }

  async giveBack(name: string, call: CallOptions = {}): Promise<void> {
    this.#registry.find(name).input.giveBack(call.actor ?? DEFAULT_ACTOR);
  }

  async read(
    name: string,
    options: ReadOptions = {},
    call: CallOptions = {},
  ): Promise<SessionResult> {
    const startedMs = performance.now();
    const session = this.#registry.find(name);
    assertReadOptions(options);
    return session.use(async () => {
      const condition = await compileWaitCondition(
        { until: 'now', ...options },
        callDefaults.readMs,
      );
      const from = session.readers.get(call.reader ?? DEFAULT_ACTOR).position;
      const waited = await this.#wait(session, condition, from, call);
      return makeSessionResult(waited, options, call, startedMs);
    });
  }

  async wait(options: WaitOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    const startedMs = performance.now();
    if (options.sessions?.length === 0)
      throw new UnusableArgument('sessions', 'it names none; leave it out to wait for any');
    const sessions =
      options.sessions?.map((name) => this.#registry.find(name)) ?? this.#unreportedOrAll();
    if (sessions.length === 0) throw new SessionNotFound('*', []);
    const waitForFirst = async () => {
      const condition = await compileWaitCondition(options, callDefaults.waitMs);
      const from = (session: Session) => session.readers.get(call.reader ?? DEFAULT_ACTOR).position;
      const waited = await waitForSessions(
        sessions,
        (session) => ({ ...condition, from: from(session) }),
        call,
      );
      return makeSessionResult(waited, {}, call, startedMs);
    };
    return sessions.reduce((act, session) => () => session.use(act), waitForFirst)();
  }

  async list(): Promise<SessionSummary[]> {
    const now = performance.now();
    return Promise.all(
      this.#registry.all.map(async (session) => ({
        ...session.stateOf(await currentVerdict(session)),
        idleMs: Math.round(now - session.usedMs),
        ageMs: Math.round(now - session.openedMs),
        unread: session.screen.position - session.readers.get(DEFAULT_ACTOR).position,
        pid: session.terminal.pid,
        ...ifDefined('recording', this.recordingOf(session.name)),
      })),
    );
  }

  /** The file to which a session is being recorded. */
  recordingOf(name: string): string | undefined {
    return this.#recordings.pathOf(name);
  }

  async resize(name: string, cols: number, rows: number): Promise<void> {
    this.#registry.find(name).resize(cols, rows);
  }

  async signal(name: string, signal: string): Promise<void> {
    await this.#registry.find(name).signal(signal);
  }

  async close(name: string, options: CloseOptions = {}): Promise<CloseResult> {
    return this.#registry.close(this.#registry.find(name), options);
  }

  async closeAll(options: CloseOptions = {}): Promise<CloseResult> {
    return this.#registry.closeAll(options);
  }

  subscribe(
    listener: (event: SessionEvent) => void,
    only?: string,
    types?: readonly SessionEvent['type'][],
  ): () => void {
    const subscription = new EventSubscription(listener, only, types);
    const sessions = this.#registry.all.filter(({ name }) => subscription.wants(name));
    if (only !== undefined && sessions.length === 0) return subscription.deliverClosed(only);
    return this.#subscriptions.add(subscription, sessions);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll();
  }

  async #open(request: OpenRequest, call: CallOptions): Promise<Session> {
    assertHistoryLimits(request.history);
    const { command, cwd, program } = request;
    const { guard, secrets } = this.#options;
    const session = await this.#registry.add(request.name, program, {
      permit: async (name) => {
        const actor = call.actor ?? DEFAULT_ACTOR;
        const refusal = await guard({ act: 'open', session: name, command, cwd, actor });
        if (refusal !== undefined) throw new RefusedByGuard('opened', refusal);
      },
      open: async (name) => {
        call.onNamed?.(name);
        const recording = this.#recordings.start(name, request, {
          dump: () => this.#registry.all.find((each) => each.name === name)?.screen.dump() ?? '',
          onTrouble: (message) => this.#subscriptions.emit(name, { type: 'trouble', message }),
        });
        const emit = (event: SessionEventBody) => {
          recording?.record(event);
          this.#subscriptions.emit(name, event);
          if (event.type === 'closed') this.#recordings.delete(name);
        };
        const secretNames = (program?: string) => secrets.names(program);
        try {
          return await Session.open(name, request, { guard, emit, secretNames });
        } catch (error) {
          this.#recordings.delete(name);
          throw error;
        }
      },
    });
    this.#subscriptions.watchState(session);
    const close = () => void this.#reportClosing(session, this.#registry.close(session));
    const cancel = callAfterDelay(this.#options.lifetimeMs, close);
    void session.terminal.ended.then(cancel);
    return session;
  }

  async #type(session: Session, input: SendOptions, actor: string): Promise<void> {
    if (input.secret === undefined) return session.input.type(input, actor);
    if (input.text !== undefined || input.keys !== undefined)
      throw new UnusableArgument('text or keys', 'a secret is typed alone');
    const secret = await resolveSecret(input.secret, this.#options.secrets);
    await session.input.typeSecret(secret, input.submit ?? callDefaults.submit, actor);
  }

  /** The sessions whose exit has not been reported to a caller, or all if there are none. */
  #unreportedOrAll(): Session[] {
    const { all } = this.#registry;
    const unreported = all.filter(({ isExitReported }) => !isExitReported);
    return unreported.length > 0 ? unreported : all;
  }

  /** No caller waits for this closing, so problems are reported to subscribers. */
  async #reportClosing(session: Session, closing: Promise<CloseResult>): Promise<void> {
    const report = (message: string) =>
      this.#subscriptions.emit(session.name, { type: 'trouble', message });
    try {
      const { survivors } = await closing;
      const running = survivors.map(({ pid, name }) => `${name} (pid ${pid})`).join(', ');
      if (running) report(`What "${session.name}" has run goes on after its end: ${running}.`);
    } catch (error) {
      report(`Session "${session.name}" could not be closed: ${(error as Error).message}`);
    }
  }

  #wait(
    session: Session,
    condition: Partial<WaitCondition> & { timeoutMs: number },
    from: number,
    call: CallOptions,
  ): Promise<WaitOutcome> {
    return waitForSessions([session], () => ({ until: 'ready', from, ...condition }), call);
  }
}

/** The error must say that the text was typed. */
const throwAfterTyping = (error: unknown): never => {
  if (!(error instanceof PatternTooSlow)) throw error;
  throw new PatternTooSlow(error.details.pattern, error.details.limitMs, true);
};
