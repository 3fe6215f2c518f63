/** `Sessions` in this process: finds the session of each call, runs the call, builds its result. */
import { RefusedByGuard, SessionNotFound, UnusableArgument } from '../errors.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import { type Actor, actorOf, type Caller } from './caller.ts';
import { EventSubscription } from './event-subscription.ts';
import { EventSubscriptions } from './event-subscriptions.ts';
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
import type { Recording } from './recording/recording.ts';
import { SessionRecordings } from './recording/session-recordings.ts';
import { reportClosing } from './report-closing.ts';
import { runInNewShell, runInSession } from './run/run.ts';
import { resolveSecret } from './secrets/secrets.ts';
import { Session } from './session.ts';
import type { AdoptTerminal, SessionDeps } from './session-parts.ts';
import { SessionRegistry } from './session-registry.ts';
import { makeSessionResult } from './session-result.ts';
import { makeSessionSummary } from './session-summary.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionEventBody,
  SessionResult,
  SessionSummary,
  Sessions,
} from './sessions.ts';
import type { SessionSnapshot } from './snapshot/session-snapshot.ts';
import { callAfterDelay } from './wait/call-after-delay.ts';
import { currentVerdict } from './wait/current-verdict.ts';
import { finishesTypingWithin, throwAfterTyping } from './wait/finishes-typing-within.ts';
import { type WaitCondition, type WaitOutcome, waitForSessions } from './wait/wait-for-sessions.ts';

/** A session whose events may come before it is complete, and whose name may change after that. */
interface OpeningSession {
  name: string;
  session?: Session;
}

const nameOf = ({ session, name }: OpeningSession): string => session?.name ?? name;

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
      const typing = this.#type(session, input, actorOf(call));
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
    const session = this.#registry.find(name);
    await session.use(() => session.input.typeBytes(bytes, actorOf(call)));
  }

  async take(name: string, call: CallOptions = {}): Promise<void> {
    this.#registry.find(name).input.take(actorOf(call));
  }

  async giveBack(name: string, call: CallOptions = {}): Promise<void> {
    this.#registry.find(name).input.giveBack(actorOf(call));
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
      options.sessions?.map((name) => this.#registry.find(name)) ?? this.#registry.unreportedOrAll;
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
    return Promise.all(
      this.#registry.all.map((session) =>
        makeSessionSummary(session, this.recordingOf(session.name)),
      ),
    );
  }

  /** For a server, which must know their terminals and sizes. @internal */
  get all(): readonly Session[] {
    return this.#registry.all;
  }

  /** For a server, and to write it down for a process that goes on with it. @internal */
  find(name: string): Session {
    return this.#registry.find(name);
  }

  /** Goes on with a session of another process, under its name. @internal */
  async restore(snapshot: SessionSnapshot, adopt: AdoptTerminal): Promise<void> {
    const { name, command, openedBy } = snapshot;
    const restored: OpeningSession = { name };
    const deps = this.#depsOf(restored, openedBy);
    const session = await this.#registry.add(name, command[0] ?? '', {
      permit: async () => {},
      open: async () => {
        restored.session = await Session.restore(snapshot, adopt, deps);
        return restored.session;
      },
    });
    this.#watch(session);
  }

  /** The file to which a session is being recorded. */
  recordingOf(name: string): string | undefined {
    return this.#recordings.pathOf(name);
  }

  async resize(name: string, cols: number, rows: number): Promise<void> {
    this.#registry.find(name).resize(cols, rows);
  }

  async rename(name: string, to: string): Promise<void> {
    if (this.#registry.find(name).name === to) return;
    this.#registry.rename(name, to);
    this.#recordings.rename(name, to);
    this.#subscriptions.emit(name, { type: 'renamed', to });
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
    const { guard } = this.#options;
    const actor = actorOf(call);
    const session = await this.#registry.add(request.name, program, {
      permit: async (name) => {
        const acted = { actor: actor.name, caller: actor.caller };
        const refusal = await guard({ act: 'open', session: name, command, cwd, ...acted });
        if (refusal !== undefined) throw new RefusedByGuard('opened', refusal);
      },
      open: async (name) => {
        call.onNamed?.(name);
        const opening: OpeningSession = { name };
        const recording = this.#recordings.start(name, request, {
          openedBy: actor.caller,
          dump: () => opening.session?.screen.dump() ?? '',
          onTrouble: (message) =>
            this.#subscriptions.emit(nameOf(opening), { type: 'trouble', message }),
        });
        try {
          const deps = this.#depsOf(opening, actor.caller, recording);
          opening.session = await Session.open(name, request, deps);
          return opening.session;
        } catch (error) {
          this.#recordings.delete(name);
          throw error;
        }
      },
    });
    this.#watch(session);
    return session;
  }

  #depsOf(opening: OpeningSession, openedBy: Caller, recording?: Recording): SessionDeps {
    const { guard, secrets } = this.#options;
    const emit = (event: SessionEventBody) => {
      recording?.record(event);
      this.#subscriptions.emit(nameOf(opening), event);
      if (event.type === 'closed') this.#recordings.delete(nameOf(opening));
    };
    return { openedBy, guard, emit, secretNames: (program) => secrets.names(program) };
  }

  #watch(session: Session): void {
    this.#subscriptions.watchState(session);
    const close = () => void this.#reportClosing(session, this.#registry.close(session));
    const leftMs = this.#options.lifetimeMs - (performance.now() - session.openedMs);
    const cancel = callAfterDelay(Math.max(0, leftMs), close);
    void session.terminal.ended.then(cancel);
  }

  async #type(session: Session, input: SendOptions, actor: Actor): Promise<void> {
    if (input.secret === undefined) return session.input.type(input, actor);
    if (input.text !== undefined || input.keys !== undefined)
      throw new UnusableArgument('text or keys', 'a secret is typed alone');
    const secret = await resolveSecret(input.secret, this.#options.secrets);
    await session.input.typeSecret(secret, input.submit ?? callDefaults.submit, actor);
  }

  /** No caller waits for this closing, so problems are reported to subscribers. */
  #reportClosing(session: Session, closing: Promise<CloseResult>): Promise<void> {
    return reportClosing(session, closing, (message) =>
      this.#subscriptions.emit(session.name, { type: 'trouble', message }),
    );
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
