/** `Sessions` in this process: finds the session of each call, runs the call, builds its result. */
import { SessionNotFound, UnusableArgument } from '../errors.ts';
import type { CloseOptions, CloseResult } from '../system/terminal/terminal.ts';
import { type Actor, actorOf } from './caller.ts';
import { makeConfinement } from './confinement.ts';
import { EventSubscription } from './event-subscription.ts';
import { EventSubscriptions } from './event-subscriptions.ts';
import { type Approval, type Gate, withApproval } from './input/gate.ts';
import type { KeptSession } from './keeping/kept-session.ts';
import type { LeftSession } from './keeping/left-session.ts';
import type { GoingOn, LeftSessions } from './keeping/left-sessions.ts';
import type { SessionKeeping } from './keeping/session-keeping.ts';
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
  assertReadOptions,
  assertSessionsOptions,
  assertTimeout,
  compileWaitCondition,
} from './options/validate-options.ts';
import { SessionRecordings } from './recording/session-recordings.ts';
import { runInNewShell, runInSession } from './run/run.ts';
import { resolveSecret } from './secrets/secrets.ts';
import type { Session } from './session.ts';
import { SessionOpener } from './session-opener.ts';
import type { AdoptTerminal } from './session-parts.ts';
import { SessionRegistry } from './session-registry.ts';
import { makeSessionResult } from './session-result.ts';
import { makeSessionSummary } from './session-summary.ts';
import type {
  CallOptions,
  RunResult,
  SessionEvent,
  SessionResult,
  SessionSummary,
  Sessions,
} from './sessions.ts';
import type { SessionSnapshot } from './snapshot/session-snapshot.ts';
import { currentVerdict } from './wait/current-verdict.ts';
import { finishesTypingWithin, throwAfterTyping } from './wait/finishes-typing-within.ts';
import { type WaitCondition, type WaitOutcome, waitForSessions } from './wait/wait-for-sessions.ts';

export class LocalSessions implements Sessions {
  readonly #options: Required<SessionsOptions>;
  readonly #registry: SessionRegistry;
  readonly #subscriptions = new EventSubscriptions();
  readonly #recordings: SessionRecordings;
  readonly #opener: SessionOpener;

  constructor(options: SessionsOptions = {}) {
    assertSessionsOptions(options);
    this.#options = withSessionsDefaults(options);
    this.#registry = new SessionRegistry(this.#options);
    this.#recordings = new SessionRecordings(this.#options.recordings);
    this.#opener = new SessionOpener({
      options: this.#options,
      registry: this.#registry,
      subscriptions: this.#subscriptions,
      recordings: this.#recordings,
      confinement: makeConfinement({ ...ownFolder(), ...this.#options.sandbox }),
    });
  }

  /** From now on sessions outlive this process. @internal */
  keepWith(keeping: SessionKeeping): void {
    this.#opener.keeping = keeping;
  }

  /** From now on it is asked before a program is started, and before anything is typed. @internal */
  gateWith(gate: Gate): void {
    this.#opener.gate = gate;
  }

  async open(options: OpenOptions = {}, call: CallOptions = {}): Promise<SessionResult> {
    return this.start(openRequest(options), call);
  }

  /**
   * `open` for a request from another process, with its folder and environment. `run`: the one command that
   * the program, a shell, runs. @internal
   */
  async start(request: OpenRequest, call: CallOptions = {}, run?: string): Promise<SessionResult> {
    const startedMs = performance.now();
    assertTimeout(request.timeoutMs);
    const session = await this.#opener.open(request, call, run);
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
      let typingMs = startedMs;
      const isTyped = await withApproval((approval) => {
        // The time in which a person was asked does not count.
        if (approval !== undefined) typingMs = performance.now();
        const typing = call.isTyped
          ? Promise.resolve()
          : this.#type(session, input, actorOf(call), approval);
        return finishesTypingWithin(typing, condition.timeoutMs, call.signal);
      }, call);
      if (isTyped) call.onTyped?.();
      const timeoutMs = Math.max(0, condition.timeoutMs - (performance.now() - typingMs));
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
    const session = await this.#opener.open(request.open, call, request.command);
    const result = await session.use(() => runInNewShell(session, request, call));
    // It stays open: a running command can be answered.
    if (result.state !== 'exited') return result;
    session.isExitReported = true;
    if (result.omitted === undefined) {
      this.#opener.report(session, this.#registry.dismiss(session));
      return result;
    }
    // It stays open so that the rest can be read. Its program's name is for a program that runs.
    const name = this.#registry.freeName(`${session.name}-output`);
    await this.rename(session.name, name);
    return { ...result, session: name };
  }

  async type(name: string, bytes: Uint8Array, call: CallOptions = {}): Promise<void> {
    const session = this.#registry.find(name);
    const actor = actorOf(call);
    const type = (approval?: Approval) => session.input.typeBytes(bytes, actor, approval);
    await session.use(() => withApproval(type, call));
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
    const { left } = this;
    if (options.sessions === undefined && left.isWaiting) await left.restoreAll();
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
    if (this.left.isWaiting) await this.left.restoreAll();
    return Promise.all(
      this.#registry.all.map((session) =>
        makeSessionSummary(session, this.recordingOf(session.name)),
      ),
    );
  }

  /** For a server, which must know their sizes: those that are gone on with. @internal */
  get all(): readonly Session[] {
    return this.#registry.all;
  }

  /** By which a server knows who works in which session. @internal */
  get terminals(): readonly Pick<LeftSession, 'name' | 'terminal'>[] {
    return [...this.#registry.all, ...this.left.all];
  }

  /** How a session outlives this process. Undefined if there is none of that name. @internal */
  keptAs(name: string): KeptSession | undefined {
    return this.#registry.get(name)?.kept;
  }

  /** For a server. A session that another process has left is gone on with. @internal */
  has(name: string): boolean {
    return this.#registry.get(name) !== undefined;
  }

  /** For a server, and to write it down for a process that goes on with it. @internal */
  find(name: string): Session {
    return this.#registry.find(name);
  }

  /** Goes on with a session of another process, under its name. @internal */
  async restore(snapshot: SessionSnapshot, adopt: AdoptTerminal): Promise<void> {
    await this.#opener.restore(snapshot, adopt);
  }

  /** Goes on with a session that a killed process has left, when it is asked for. @internal */
  takeOver(left: LeftSession, callbacks: Omit<GoingOn, 'restore'>): void {
    this.#opener.takeOver(left, callbacks);
  }

  /** Those that were taken over, and not gone on with yet. @internal */
  get left(): LeftSessions {
    return this.#registry.left;
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
    this.#registry.find(to).kept?.writeDown();
    this.#subscriptions.emit(name, { type: 'renamed', to });
  }

  async signal(name: string, signal: string): Promise<void> {
    await this.#registry.find(name).signal(signal);
  }

  async close(name: string, options: CloseOptions = {}): Promise<CloseResult> {
    if (!this.left.isSetAside(name))
      return this.#registry.close(this.#registry.find(name), options);
    const closed = await this.left.close(name, options);
    this.#subscriptions.emit(name, { type: 'closed' });
    return closed;
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
    if (only !== undefined) this.left.restore(only);
    const sessions = this.#registry.all.filter(({ name }) => subscription.wants(name));
    if (only !== undefined && sessions.length === 0) return subscription.deliverClosed(only);
    return this.#subscriptions.add(subscription, sessions);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.closeAll();
  }

  async #type(
    session: Session,
    input: SendOptions,
    actor: Actor,
    approval: Approval | undefined,
  ): Promise<void> {
    if (input.secret === undefined) return session.input.type(input, actor, approval);
    if (input.text !== undefined || input.keys !== undefined)
      throw new UnusableArgument('text or keys', 'a secret is typed alone');
    const secret = await resolveSecret(input.secret, this.#options.secrets);
    await session.input.typeSecret(secret, input.submit ?? callDefaults.submit, actor, approval);
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

/** Empty if the folder of this process has been removed. */
const ownFolder = (): { workspace?: string } => {
  try {
    return { workspace: process.cwd() };
  } catch {
    return {};
  }
};
